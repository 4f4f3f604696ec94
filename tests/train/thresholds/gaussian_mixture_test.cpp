#include "train/thresholds/gaussian_mixture.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "tests/train/expected_values.hpp"

namespace procsim::train {
namespace {

TEST(GaussianMixtureFit, AgreesWithScikitLearn) {
  for (const auto values = test::expected_values("confidence.json"); const auto& item : values["mixtures"]) {
    const auto losses = item["losses"].get<std::vector<double>>();
    const auto [low, high] = std::minmax_element(losses.begin(), losses.end());
    std::vector<double> scaled;
    for (const double loss : losses) scaled.push_back((loss - *low) / (*high - *low));
    const auto mixture = fit_gaussian_mixture(scaled);
    ASSERT_TRUE(mixture);
    EXPECT_NEAR(mixture->low.mean, item["means"][0].get<double>(), 1e-9);
    EXPECT_NEAR(mixture->high.mean, item["means"][1].get<double>(), 1e-9);
    EXPECT_NEAR(mixture->low.variance, item["variances"][0].get<double>(), 1e-9);
    EXPECT_NEAR(mixture->high.variance, item["variances"][1].get<double>(), 1e-9);
    EXPECT_NEAR(mixture->low.weight, item["weights"][0].get<double>(), 1e-9);
    EXPECT_NEAR(*gaussian_mixture_threshold(losses), item["threshold"].get<double>(), 1e-8);
  }
}

TEST(GaussianMixtureFit, HasNoThresholdForEqualLosses) {
  EXPECT_FALSE(gaussian_mixture_threshold(std::vector<double>{2, 2, 2, 2, 2}));
  EXPECT_FALSE(gaussian_mixture_threshold(std::vector<double>{}));
}

}  // namespace
}  // namespace procsim::train
