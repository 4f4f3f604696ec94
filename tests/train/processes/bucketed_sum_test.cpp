#include "train/processes/bucketed_sum.hpp"

#include <gtest/gtest.h>

namespace procsim::train {
namespace {

// Three layers of one weight each; the last is not used.
struct Layers {
  std::vector<torch::Tensor> weights = {torch::tensor({2.0F}), torch::tensor({3.0F}), torch::tensor({5.0F})};
  Layers() {
    for (auto& weight : weights) weight.requires_grad_(true);
  }
  torch::Tensor output() const { return (weights[0] * weights[1]).sum(); }
};

constexpr std::int64_t kOneWeight = sizeof(float);

TEST(BucketedSum, WritesTheSumsBack) {
  Layers layers;
  BucketedSum sum(layers.weights,
                  [](torch::Tensor& values) { return [values]() mutable { values.mul_(10); }; });
  for (int pass = 0; pass < 2; ++pass) {
    for (auto& weight : layers.weights) weight.mutable_grad() = torch::Tensor();
    sum.begin();
    layers.output().backward();
    sum.finish();
    EXPECT_EQ(layers.weights[0].grad().item<float>(), 30);
    EXPECT_EQ(layers.weights[1].grad().item<float>(), 20);
    EXPECT_FALSE(layers.weights[2].grad().defined());
  }
}

// The unused layer comes first in the order of buckets and holds the others back: otherwise another process
// could send them in another order.
TEST(BucketedSum, BucketsLeaveInOneOrderWhileTheBackwardPassRuns) {
  Layers layers;
  bool after = false;
  std::vector<bool> sent_after;
  const auto start = [&](torch::Tensor&) {
    sent_after.push_back(after);
    return [] {};
  };
  std::vector<torch::Tensor> used(layers.weights.begin(), layers.weights.end() - 1);
  for (const bool all : {false, true}) {
    BucketedSum sum(all ? layers.weights : used, start, kOneWeight);
    after = false;
    sent_after.clear();
    sum.begin();
    layers.output().backward();
    after = true;
    sum.finish();
    EXPECT_EQ(sent_after, std::vector<bool>(2, all));
  }
}

TEST(BucketedSum, OtherBackwardPassesSendNothing) {
  Layers layers;
  int sent = 0;
  const auto start = [&](torch::Tensor&) {
    ++sent;
    return [] {};
  };
  {
    const BucketedSum sum(layers.weights, start);
    layers.output().backward();
  }
  layers.output().backward();
  EXPECT_EQ(sent, 0);
}

}  // namespace
}  // namespace procsim::train
