#include "data/noise_model/outliers.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "data/base/keyed_random.hpp"

namespace procsim {
namespace {

// Logarithms of distances: normal, and some around `far`.
std::vector<double> drawn(std::int64_t near, std::int64_t far, double mean_of_far) {
  const KeyedRandom random(7, "test/outliers");
  std::vector<double> distances;
  for (std::int64_t i = 0; i < near + far; ++i)
    distances.push_back(std::exp((i < near ? 0 : mean_of_far) + 0.1 * random.for_id(i).normal()));
  return distances;
}

double sum_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

TEST(Outliers, AreAsManyAsThereAre) {
  const auto distances = drawn(900, 100, 0.6);
  const auto probabilities = outlier_probabilities(distances);
  EXPECT_NEAR(sum_of(probabilities), 100, 5);
  EXPECT_NEAR(sum_of(std::span(probabilities).last(100)), 100, 5);
}

TEST(Outliers, AreHardlyAnyWhereAllIsOfOneKind) {
  EXPECT_LT(sum_of(outlier_probabilities(drawn(1000, 0, 0))), 10);
}

TEST(Outliers, AreTheMoreProbableTheFartherTheyAre) {
  auto distances = drawn(300, 30, 0.5);
  std::sort(distances.begin(), distances.end());
  const auto probabilities = outlier_probabilities(distances);
  EXPECT_TRUE(std::is_sorted(probabilities.begin(), probabilities.end()));
}

TEST(Outliers, OfNothingAndOfEqualDistancesAreNumbers) {
  EXPECT_TRUE(outlier_probabilities({}).empty());
  for (const double p : outlier_probabilities(std::vector<double>(20, 1.0))) EXPECT_LT(p, 0.5);
}

}  // namespace
}  // namespace procsim
