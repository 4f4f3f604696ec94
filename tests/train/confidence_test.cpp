#include "train/confidence/confidence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "data/base/keyed_random.hpp"
#include "tests/train/expected_values.hpp"
#include "train/confidence/gaussian_mixture.hpp"
#include "train/confidence/otsu.hpp"

namespace procsim::train {
namespace {

std::vector<double> random_losses(std::int64_t id) {
  auto draws = KeyedRandom(3, "test/confidence").for_id(id);
  std::vector<double> losses(4 + draws.below(60));
  for (auto& loss : losses) loss = std::exp(draws.normal()) + (draws.uniform() < 0.4 ? 3 : 0);
  return losses;
}

// Every split tried, variances computed from their definition.
std::optional<double> brute_force_otsu(std::vector<double> losses) {
  std::sort(losses.begin(), losses.end());
  const auto spread = [](auto from, auto to) {
    double mean = 0;
    for (auto i = from; i != to; ++i) mean += *i;
    mean /= static_cast<double>(to - from);
    double sum = 0;
    for (auto i = from; i != to; ++i) sum += (*i - mean) * (*i - mean);
    return sum;
  };
  std::optional<double> best;
  double best_cost = std::numeric_limits<double>::infinity();
  for (std::size_t split = 2; split + 2 <= losses.size(); ++split) {
    if (losses[split - 1] == losses[split]) continue;
    const auto middle = losses.begin() + static_cast<std::ptrdiff_t>(split);
    const double cost = spread(losses.begin(), middle) + spread(middle, losses.end());
    if (cost < best_cost - 1e-12) {
      best_cost = cost;
      best = (losses[split - 1] + losses[split]) / 2;
    }
  }
  return best;
}

TEST(Otsu, AgreesWithBruteForceOnRandomBatches) {
  for (std::int64_t id = 0; id < 500; ++id) {
    const auto losses = random_losses(id);
    const auto expected = brute_force_otsu(losses);
    const auto actual = otsu_threshold(losses);
    ASSERT_EQ(actual.has_value(), expected.has_value());
    ASSERT_NEAR(*actual, *expected, 1e-12) << "batch " << id;
  }
}

TEST(Otsu, AgreesWithTheIndependentValuesAlsoFarFromZero) {
  for (const auto values = test::expected_values("confidence.json"); const auto& item : values["otsu"])
    EXPECT_NEAR(*otsu_threshold(item["losses"].get<std::vector<double>>()), item["threshold"].get<double>(),
                1e-9);
}

TEST(Otsu, LeavesTwoValuesOnEachSide) {
  EXPECT_DOUBLE_EQ(*otsu_threshold(std::vector<double>{0, 0.1, 0.2, 100}), 0.15);
}

TEST(Otsu, NeverSplitsBetweenEqualValues) {
  EXPECT_DOUBLE_EQ(*otsu_threshold(std::vector<double>{1, 1, 1, 2, 2}), 1.5);
  EXPECT_FALSE(otsu_threshold(std::vector<double>{1, 1, 1, 1, 1}));
  EXPECT_FALSE(otsu_threshold(std::vector<double>{0, 1, 1, 1, 2}));
}

TEST(Otsu, HasNoThresholdForFewerThanFourValues) {
  EXPECT_FALSE(otsu_threshold(std::vector<double>{}));
  EXPECT_FALSE(otsu_threshold(std::vector<double>{1, 2, 3}));
}

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

TEST(Sigma, AgreesWithSciPy) {
  for (const auto values = test::expected_values("confidence.json"); const auto& item : values["sigma"]) {
    const double loss = item["loss"];
    const double threshold = item["threshold"];
    const double lambda = item["lambda"];
    EXPECT_NEAR(procsim_confidence(loss, threshold, lambda), item["procsim"].get<double>(), 1e-12);
    EXPECT_NEAR(superloss_confidence(loss, threshold, lambda), item["superloss"].get<double>(), 1e-12);
  }
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
