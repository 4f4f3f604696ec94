#include "train/thresholds/confidence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/train/expected_values.hpp"
#include "tests/train/random_losses.hpp"
#include "train/thresholds/gaussian_mixture.hpp"
#include "train/thresholds/otsu.hpp"

namespace procsim::train {
namespace {

using test::random_losses;

TEST(Sigma, AgreesWithSciPy) {
  for (const auto values = test::expected_values("confidence.json"); const auto& item : values["sigma"]) {
    const double loss = item["loss"];
    const double threshold = item["threshold"];
    const double lambda = item["lambda"];
    EXPECT_NEAR(procsim_confidence(loss, threshold, lambda), item["procsim"].get<double>(), 1e-12);
    EXPECT_NEAR(superloss_confidence(loss, threshold, lambda), item["superloss"].get<double>(), 1e-8);
  }
}

// Down to where W ends and beyond it.
TEST(Sigma, OfSuperLossAgreesWithSciPy) {
  for (const auto values = test::expected_values("confidence.json"); const auto& item : values["superloss"])
    for (std::size_t i = 0; i < item["losses"].size(); ++i)
      EXPECT_NEAR(superloss_confidence(item["losses"][i], item["threshold"], item["lambda"]),
                  item["sigma"][i].get<double>(), 1e-8);
  EXPECT_NEAR(superloss_confidence(0, 1, 1), 2.717067, 1e-6);
  EXPECT_EQ(superloss_confidence(-1e300, 1, 1e-3), superloss_confidence(0, 1, 1));
}

class SigmaProperties : public ::testing::TestWithParam<ThresholdKind> {
 protected:
  static std::vector<double> sigma(const std::vector<double>& losses, double lambda) {
    return ConfidenceRule(GetParam(), lambda)(losses).sigma;
  }
};

TEST_P(SigmaProperties, TranslationOfTheLossesChangesNothing) {
  for (std::int64_t id = 0; id < 100; ++id) {
    const auto losses = random_losses(id);
    auto moved = losses;
    for (auto& loss : moved) loss += 17.25;
    const auto before = sigma(losses, 0.3);
    const auto after = sigma(moved, 0.3);
    for (std::size_t i = 0; i < losses.size(); ++i) ASSERT_NEAR(before[i], after[i], 1e-9);
  }
}

TEST_P(SigmaProperties, FallsAsTheLossGrowsAndStaysInTheUnitInterval) {
  for (std::int64_t id = 0; id < 100; ++id) {
    auto losses = random_losses(id);
    std::sort(losses.begin(), losses.end());
    const auto values = sigma(losses, 0.3);
    EXPECT_TRUE(std::is_sorted(values.rbegin(), values.rend()));
    EXPECT_GE(values.back(), 0);
    EXPECT_EQ(values.front(), 1);
    EXPECT_LT(values.back(), 1);
  }
}

TEST_P(SigmaProperties, SmallLambdaDecidesAndLargeLambdaTrustsAll) {
  for (std::int64_t id = 0; id < 100; ++id) {
    const auto losses = random_losses(id);
    const auto threshold = *ConfidenceRule(GetParam(), 1)(losses).threshold;
    const auto hard = sigma(losses, 1e-300);
    const auto soft = sigma(losses, 1e12);
    for (std::size_t i = 0; i < losses.size(); ++i) {
      EXPECT_NEAR(hard[i], losses[i] > threshold ? 0 : 1, 1e-12);
      EXPECT_NEAR(soft[i], 1, 1e-9);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, SigmaProperties,
                         ::testing::Values(ThresholdKind::kOtsu, ThresholdKind::kGaussianMixture,
                                           ThresholdKind::kMean),
                         [](const auto& parameter) { return std::string(to_string(parameter.param)); });

TEST(ConfidenceRule, TrustsABatchTooSmallToSplit) {
  const auto result = ConfidenceRule(ThresholdKind::kOtsu, 0.1)(std::vector<double>{0.1, 9, 20});
  EXPECT_FALSE(result.threshold);
  EXPECT_EQ(result.sigma, (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(result.above, (std::vector<std::uint8_t>{0, 0, 0}));
}

TEST(ConfidenceRule, MeanIsOverAllBatchesSeen) {
  ConfidenceRule rule(ThresholdKind::kMean, 1);
  rule(std::vector<double>{1, 3});
  EXPECT_DOUBLE_EQ(*rule(std::vector<double>{5, 5, 5, 5}).threshold, 4);
}

TEST(ThresholdKind, UnknownNameSuggestsTheNearest) {
  try {
    threshold_from_string("otsi");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("otsu"), std::string::npos);
  }
}

}  // namespace
}  // namespace procsim::train
