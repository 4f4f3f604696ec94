#include "train/losses/sgps.hpp"

#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/train/rival_test.hpp"
#include "train/frame/batch.hpp"

namespace procsim::train {
namespace {

// Four images at two places, of three labels: the first two are each other's subgroup, as are the last two.
class Sgps : public RivalTest {
 protected:
  Sgps() {
    objective = loss("sgps", {{"sgps_momentum", 0.5}}, 3);
    features = parts().share<ImageFeatures>("features", [] { return std::make_shared<ImageFeatures>(0.5); });
    memory = CrossBatchMemory::of(parts());
    memory->select();
    TrainingSet set;
    set.embeddings = [&] { return start; };
    features->start(set);
    step.samples = {0, 1, 2, 3};
    step.labels = labels;
  }
  const nlohmann::json wanted = rivals["sgps"];
  torch::Tensor start = torch::tensor({{1.0F, 0.0F}, {0.8F, 0.6F}, {-1.0F, 0.0F}, {-0.8F, -0.6F}});
  torch::Tensor labels = torch::tensor({0, 1, 1, 2}, torch::kInt64);
  std::unique_ptr<Objective> objective;
  std::shared_ptr<ImageFeatures> features;
  std::shared_ptr<CrossBatchMemory> memory;
  Batch step;

  LossBatch seen(const std::vector<double>& kept) {
    return {start.to(torch::kFloat64), labels, torch::tensor(kept, torch::kFloat64), &step};
  }
};

TEST_F(Sgps, ThePrototypeAndItsLossHaveTheIndependentValues) {
  const auto prototype = subgroup_prototype(matrix(wanted["supports"]), 1);
  EXPECT_LT((prototype - vector(wanted["prototype"])).abs().max().item<double>(), 1e-9);
  const auto value = prototype_loss(vector(wanted["query"]).unsqueeze(0), prototype.unsqueeze(0),
                                    matrix(wanted["negatives"]), torch::ones({1, 3}, torch::kBool), {});
  EXPECT_NEAR(value.item<double>(), wanted["value"].get<double>(), 1e-9);
}

TEST_F(Sgps, GradientsAgreeWithFiniteDifferences) {
  const auto prototypes = batch.embeddings.detach().roll(1, 0);
  const auto negatives = batch.embeddings.detach().roll(5, 0);
  const auto mask = torch::ones({batch.labels.size(0), batch.labels.size(0)}, torch::kBool);
  expect_gradients([&](const LossBatch& input) {
    return prototype_loss(input.embeddings, prototypes, negatives, mask, {.scale = 5});
  });
}

TEST_F(Sgps, WhereAllAreKeptNothingIsAdded) {
  EXPECT_FALSE(objective->penalty(seen({1, 1, 1, 1})).defined());
  EXPECT_FALSE(objective->penalty({start, labels, {}, &step}).defined());
}

TEST_F(Sgps, AnImageWithoutASubgroupIsLeftOut) {
  TrainingSet set;
  set.embeddings = [] { return torch::eye(4).slice(1, 0, 4); };
  features->start(set);
  EXPECT_FALSE(objective->penalty(seen({0, 1, 1, 1})).defined());
}

// Sample 0 is not kept. Its prototype is image 1; in the batch images 2 and 3 are negatives: 1 is of its
// subgroup.
TEST_F(Sgps, ANegativeHasAnotherLabelAndIsNotInTheSubgroup) {
  const auto queries = start.slice(0, 0, 1).to(torch::kFloat64);
  const auto by_hand = [&](const torch::Tensor& negatives) {
    return prototype_loss(queries, start.slice(0, 1, 2).to(torch::kFloat64), negatives.to(torch::kFloat64),
                          torch::ones({1, negatives.size(0)}, torch::kBool), {.scale = 50})
        .item<double>();
  };
  EXPECT_NEAR(objective->penalty(seen({0, 1, 1, 1})).item<double>(), by_hand(start.slice(0, 2, 4)), 1e-6);
  // What the memory holds adds a term of its own.
  Batch remembered = step;
  remembered.samples = {1, 3};
  memory->offer(
      {start.index_select(0, torch::tensor({1, 3})), torch::tensor({1, 2}, torch::kInt64), {}, &remembered});
  memory->learn();
  EXPECT_NEAR(objective->penalty(seen({0, 1, 1, 1})).item<double>(),
              by_hand(start.slice(0, 2, 4)) + by_hand(start.slice(0, 3, 4)), 1e-6);
}

TEST_F(Sgps, FeaturesFollowTheEmbeddingsAndAreSaved) {
  features->offer(step, start.roll(1, 0));
  EXPECT_TRUE(torch::equal(features->rows(), start)) << "only after the step";
  features->learn();
  const auto first = torch::tensor({0.1F, -0.3F});  // half of (1, 0) and half of (−0.8, −0.6)
  EXPECT_TRUE(torch::allclose(features->rows()[0], first / first.norm()));
  TensorFile file;
  features->save({file, "x"});
  ImageFeatures restored(0.5);
  restored.restore({file, "x"});
  EXPECT_TRUE(torch::equal(restored.rows(), features->rows()));
}

TEST_F(Sgps, OptionsAreChecked) {
  EXPECT_THROW(SgpsOptions({.similarity = 1}).validate(), UsageError);
  EXPECT_THROW(SgpsOptions({.supports = 0}).validate(), UsageError);
  EXPECT_THROW(SgpsOptions({.momentum = 1}).validate(), UsageError);
}

}  // namespace
}  // namespace procsim::train
