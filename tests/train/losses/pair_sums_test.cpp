#include "train/losses/pair_sums.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace procsim::train {
namespace {

const auto kValues = torch::tensor({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}, torch::kFloat64);
const auto kMask = torch::tensor({{1, 0, 1}, {0, 0, 0}}, torch::kBool);

TEST(PairSums, AddWhatTheMaskMarks) {
  const auto sum = log_sum(kValues, kMask);
  EXPECT_NEAR(sum[0].item<double>(), std::log(std::exp(1) + std::exp(3)), 1e-12);
  EXPECT_LT(sum[1].item<double>(), -1e8);
  const auto weights = torch::tensor({0.5, 0.0, 1.0}, torch::kFloat64);
  EXPECT_NEAR(log_sum(kValues, kMask, weights)[0].item<double>(), std::log(0.5 * std::exp(1) + std::exp(3)),
              1e-12);
  const auto one_plus = log_one_plus_sum(kValues, kMask);
  EXPECT_NEAR(one_plus[0].item<double>(), std::log(1 + std::exp(1) + std::exp(3)), 1e-12);
  EXPECT_EQ(one_plus[1].item<double>(), 0);
}

TEST(PairSums, OfNothingHaveAGradientThatIsANumber) {
  for (const auto& sum : {log_sum, log_one_plus_sum}) {
    const auto values = kValues.clone().requires_grad_(true);
    sum(values, kMask, {}).sum().backward();
    EXPECT_TRUE(torch::isfinite(values.grad()).all().item<bool>());
    EXPECT_EQ(values.grad()[1].abs().sum().item<double>(), 0);
  }
}

TEST(PairSums, DistancesHaveAFiniteGradientWhereTwoCoincide) {
  const auto similarity = torch::tensor({{1.0, 0.5}}, torch::kFloat64).requires_grad_(true);
  const auto distance = distances_of(similarity);
  EXPECT_NEAR(distance[0][1].item<double>(), 1, 1e-12);
  distance.sum().backward();
  EXPECT_TRUE(torch::isfinite(similarity.grad()).all().item<bool>());
}

TEST(PairSums, AMeanOverSomeRowsIsAMeanOverAll) {
  const auto values = torch::tensor({2.0, 4.0, 9.0}, torch::kFloat64);
  const auto counted = torch::tensor({1, 1, 0}, torch::kBool);
  EXPECT_NEAR(mean_over(values, counted).mean().item<double>(), 3, 1e-12);
  EXPECT_EQ(mean_over(values, torch::zeros({3}, torch::kBool)).abs().sum().item<double>(), 0);
}

}  // namespace
}  // namespace procsim::train
