#include "train/trust/mixture_trust.hpp"

#include <gtest/gtest.h>

namespace procsim::train {
namespace {

const std::vector<double> kLosses{.1, .2, .15, .3, 1.2, 1.5, 1.1, .9};

// The first column of the embeddings is the loss.
class LossIsTheColumn : public Objective {
 public:
  torch::Tensor operator()(const LossBatch& batch) override { return batch.embeddings.select(1, 0); }
};

TrainingSet set_of(const std::vector<double>& losses, const std::vector<std::int64_t>& labels) {
  TrainingSet set;
  set.labels = labels;
  set.classes = 2;
  set.embeddings = [losses] { return torch::tensor(losses, torch::kFloat64).unsqueeze(1); };
  return set;
}

// ../shared/RIVALS.md, computed there with scikit-learn's rules.
TEST(MixtureTrust, HasTheIndependentPosteriors) {
  const auto clean = clean_probabilities(kLosses);
  const std::vector<double> wanted{.999996, .999982, .999993, .999667, 0, 0, 0, 0};
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(clean[i], wanted[i], 2e-6) << i;
}

TEST(MixtureTrust, KeepsTheLowComponent) {
  MixtureTrust trust(std::make_shared<LossIsTheColumn>(), torch::kCPU);
  const std::vector<std::int64_t> labels(8, 0);
  trust.begin_epoch(set_of(kLosses, labels));
  Batch batch;
  batch.samples = {7, 0, 4};
  EXPECT_EQ(trust(batch, {}).weight, (std::vector<double>{0, 1, 0}));
  TensorFile file;
  trust.save({file, "x"});
  MixtureTrust restored(std::make_shared<LossIsTheColumn>(), torch::kCPU);
  restored.restore({file, "x"});
  EXPECT_EQ(restored(batch, {}).weight, trust(batch, {}).weight);
  EXPECT_EQ(restored(batch, {}).columns, trust(batch, {}).columns);
}

TEST(MixtureTrust, LossesThatAreAllEqualAreAllClean) {
  EXPECT_EQ(clean_probabilities(std::vector<double>(5, 0.7)), std::vector<double>(5, 1.0));
  EXPECT_TRUE(clean_probabilities({}).empty());
  EXPECT_EQ(clean_probabilities({1, 2}), (std::vector<double>{1, 1})) << "too few to split";
}

TEST(MixtureTrust, ACheckpointBeforeTheFirstEpochHoldsNothing) {
  MixtureTrust trust(std::make_shared<LossIsTheColumn>(), torch::kCPU);
  TensorFile file;
  trust.save({file, "x"});
  trust.restore({file, "x"});
}

}  // namespace
}  // namespace procsim::train
