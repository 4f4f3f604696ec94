#include "train/thresholds/otsu.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "tests/train/expected_values.hpp"
#include "tests/train/random_losses.hpp"

namespace procsim::train {
namespace {

using test::random_losses;

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

}  // namespace
}  // namespace procsim::train
