#include "data/measures/intervals.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

// Made by make_expected.py with statsmodels.
nlohmann::json expected() {
  return nlohmann::json::parse(test::read_all(test::source_folder() / "tests/data/measures/expected.json"));
}

TEST(Share, IsNoneOfNothing) {
  EXPECT_EQ(share(1, 4), 0.25);
  EXPECT_EQ(share(3, 1), 3);
  EXPECT_EQ(share(5, 0), 0);
}

TEST(WilsonInterval, AgreesWithStatsmodels) {
  for (const auto values = expected(); const auto& item : values["wilson"]) {
    const auto interval = wilson_interval(item["successes"], item["trials"]);
    EXPECT_NEAR(interval.low, item["interval"][0], 1e-9);
    EXPECT_NEAR(interval.high, item["interval"][1], 1e-9);
  }
  EXPECT_EQ(wilson_interval(0, 0).low, 0);
  EXPECT_EQ(wilson_interval(0, 0).high, 1);
}

// Expected values: bisection on the binomial sum in exact integers, the interval's definition.
TEST(ClopperPearson, SolvesTheBinomialSum) {
  const auto check = [](std::int64_t k, std::int64_t n, double low, double high) {
    const auto interval = clopper_pearson(k, n);
    EXPECT_NEAR(interval.low, low, 1e-6);
    EXPECT_NEAR(interval.high, high, 1e-6);
  };
  check(0, 10, 0, 0.3084971);
  check(10, 10, 0.6915029, 1);
  check(4, 20, 0.05733400, 0.4366140);
  check(0, 0, 0, 1);
}

TEST(BinomialPValue, HasTheValuesOfTheBinomialFormula) {
  // P(X ≤ 1), n = 10, p = 0.5: 11/1024; P(X ≥ 9) the same.
  EXPECT_NEAR(binomial_p_value(1, 10, 0.5), 2 * 11.0 / 1024, 1e-12);
  EXPECT_NEAR(binomial_p_value(9, 10, 0.5), 2 * 11.0 / 1024, 1e-12);
  EXPECT_EQ(binomial_p_value(5, 10, 0.5), 1);
  EXPECT_EQ(binomial_p_value(1, 10, 0), 0);
  EXPECT_EQ(binomial_p_value(0, 10, 0), 1);
  EXPECT_EQ(binomial_p_value(10, 10, 1), 1);
  EXPECT_EQ(binomial_p_value(9, 10, 1), 0);
  EXPECT_EQ(binomial_p_value(0, 0, 0.5), 1);
  // 2 P(X ≤ 0), and 2 P(X ≥ 10), n = 10.
  EXPECT_NEAR(binomial_p_value(0, 10, 0.25), 2 * std::pow(0.75, 10), 1e-12);
  EXPECT_NEAR(binomial_p_value(10, 10, 0.75), 2 * std::pow(0.75, 10), 1e-12);
}

}  // namespace
}  // namespace procsim
