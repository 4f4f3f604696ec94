#include "train/methods/weighted_average.hpp"

#include <gtest/gtest.h>

#include "tests/train/expected_values.hpp"

namespace procsim::train {
namespace {

torch::Tensor vector(const nlohmann::json& values) {
  return torch::tensor(values.get<std::vector<double>>(), torch::kFloat64);
}

TEST(WeightedAverage, HasTheIndependentValues) {
  for (const auto expected = test::expected_values("weighted_average.json"); const auto& batch : expected) {
    const auto losses = vector(batch["losses"]);
    const auto weights = vector(batch["weights"]);
    EXPECT_NEAR(weighted_average(losses, weights, AverageOver::kSamples).item<double>(),
                batch["samples"].get<double>(), 1e-12);
    EXPECT_NEAR(weighted_average(losses, weights, AverageOver::kTrust).item<double>(),
                batch["trust"].get<double>(), 1e-12);
  }
}

TEST(WeightedAverage, GradientsAreTheWeightsOverTheDivisor) {
  const auto expected = test::expected_values("weighted_average.json")[0];
  for (const auto& [over, divisor] :
       {std::pair{AverageOver::kSamples, "count"}, {AverageOver::kTrust, "contributing"}}) {
    const auto losses = vector(expected["losses"]).requires_grad_(true);
    weighted_average(losses, vector(expected["weights"]), over).backward();
    const auto wanted = vector(expected["weights"]) / expected[divisor].get<double>();
    EXPECT_TRUE(torch::allclose(losses.grad(), wanted, 0, 1e-12)) << divisor;
  }
}

TEST(WeightedAverage, OfABatchThatNobodyTrustsIsZeroWithAPath) {
  const auto losses = torch::ones({4}).requires_grad_(true);
  const auto value = weighted_average(losses, torch::zeros({4}), AverageOver::kTrust);
  EXPECT_EQ(value.item<float>(), 0);
  value.backward();
  EXPECT_EQ(losses.grad().abs().sum().item<float>(), 0);
}

}  // namespace
}  // namespace procsim::train
