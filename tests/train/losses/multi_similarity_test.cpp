#include "train/losses/multi_similarity.hpp"

#include <gtest/gtest.h>

#include "tests/train/loss_test.hpp"

namespace procsim::train {
namespace {

class MultiSimilarity : public LossTest {};

TEST_F(MultiSimilarity, WithMiningHasTheIndependentValues) {
  expect_values(MultiSimilarityLoss()(batch), expected["multi_similarity"]["mined"]);
}

TEST_F(MultiSimilarity, WithoutMiningHasTheIndependentValues) {
  expect_values(MultiSimilarityLoss({.mining = false})(batch), expected["multi_similarity"]["all_pairs"]);
}

TEST_F(MultiSimilarity, DropsAndWeightsPartners) {
  batch.partner_confidence = vector(expected["partner_confidence"]);
  expect_values(MultiSimilarityLoss()(batch), expected["multi_similarity"]["mined_pair_scope"]);
}

TEST_F(MultiSimilarity, IgnoresFullTrustInPartners) {
  const auto plain = MultiSimilarityLoss()(batch);
  batch.partner_confidence = torch::ones({12}, torch::kFloat64);
  EXPECT_TRUE(torch::allclose(MultiSimilarityLoss()(batch), plain, 0, 1e-14));
}

TEST_F(MultiSimilarity, IsZeroForASampleAloneInItsClass) {
  batch.labels = torch::tensor({0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}, torch::kInt64);
  EXPECT_EQ(MultiSimilarityLoss()(batch)[0].item<double>(), 0);
}

TEST_F(MultiSimilarity, IsZeroInABatchOfOneClass) {
  batch.labels = torch::zeros({12}, torch::kInt64);
  EXPECT_EQ(MultiSimilarityLoss()(batch).abs().max().item<double>(), 0);
}

TEST_F(MultiSimilarity, StaysFiniteForSteepOptions) {
  batch.embeddings = batch.embeddings.to(torch::kFloat32);
  const auto values = MultiSimilarityLoss({.alpha = 500, .beta = 2000, .mining = false})(batch);
  EXPECT_TRUE(torch::isfinite(values).all().item<bool>()) << values;
}

TEST_F(MultiSimilarity, GradientsAgreeWithFiniteDifferences) {
  expect_gradients([](const LossBatch& input) { return MultiSimilarityLoss()(input); });
  expect_gradients([](const LossBatch& input) { return MultiSimilarityLoss({.mining = false})(input); });
  batch.partner_confidence = vector(expected["partner_confidence"]);
  expect_gradients([](const LossBatch& input) { return MultiSimilarityLoss()(input); });
}

}  // namespace
}  // namespace procsim::train
