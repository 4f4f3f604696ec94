#include "train/scoring/class_sums.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace procsim::train {
namespace {

// (1, 1), (1, -1), (-1, 1), (-1, -1), scaled: centred already, of the length √½ · √2 = 1.
PreparedRows corners() {
  return {torch::tensor({{2.0F, 2.0F}, {2.0F, -2.0F}, {-2.0F, 2.0F}, {-2.0F, -2.0F}}), 8};
}

const float kHalf = std::sqrt(0.5F);

TEST(ClassSums, OfLabelsAreTheSumsOfEachClass) {
  const auto sums =
      sum_labels(corners(), std::vector<std::int64_t>{0, 1, 3}, std::vector<std::int64_t>{0, 0, 9, 2}, 3);
  EXPECT_TRUE(
      torch::allclose(sums.sums, kHalf * torch::tensor({{2.0F, 0.0F}, {0.0F, 0.0F}, {-1.0F, -1.0F}})));
  EXPECT_TRUE(torch::equal(sums.weights, torch::tensor({2.0F, 0.0F, 1.0F})));
  EXPECT_TRUE(torch::allclose(sums.scatter, torch::tensor({{1.5F, 0.5F}, {0.5F, 1.5F}})));
  EXPECT_EQ(sums.samples, 3);
}

TEST(ClassSums, ASampleIsSharedOut) {
  const auto scatter = torch::eye(2);
  const auto sums = sum_shares(corners(), std::vector<std::int64_t>{2}, 2, scatter,
                               [](std::int64_t sample, std::vector<ClassWeight>& shares) {
                                 EXPECT_EQ(sample, 2);
                                 shares.push_back({1, 0.75});
                                 shares.push_back({0, 0.25});
                               });
  EXPECT_TRUE(torch::allclose(sums.sums, kHalf * torch::tensor({{-0.25F, 0.25F}, {-0.75F, 0.75F}})));
  EXPECT_TRUE(torch::equal(sums.weights, torch::tensor({0.25F, 0.75F})));
  EXPECT_TRUE(torch::equal(sums.scatter, scatter));
}

TEST(ClassSums, OfDisjointSamplesAddUp) {
  const std::vector<std::int64_t> classes{0, 1, 1, 0};
  ClassSums both;
  both += sum_labels(corners(), std::vector<std::int64_t>{0, 1}, classes, 2);
  both += sum_labels(corners(), std::vector<std::int64_t>{2, 3}, classes, 2);
  const auto all = sum_labels(corners(), std::vector<std::int64_t>{0, 1, 2, 3}, classes, 2);
  EXPECT_TRUE(torch::allclose(both.sums, all.sums));
  EXPECT_TRUE(torch::allclose(both.scatter, all.scatter));
  EXPECT_TRUE(torch::equal(both.weights, all.weights));
  EXPECT_EQ(both.samples, 4);
}

}  // namespace
}  // namespace procsim::train
