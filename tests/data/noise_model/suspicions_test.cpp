#include "data/noise_model/suspicions.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace procsim {
namespace {

std::vector<ScoreRow> rows_with(const std::vector<double>& probabilities) {
  std::vector<ScoreRow> rows(probabilities.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].p_mislabelled = static_cast<float>(probabilities[i]);
    rows[i].suspicion = static_cast<float>(std::log(probabilities[i] / (1 - probabilities[i])));
  }
  return rows;
}

double sum_of(std::span<const ScoreRow> rows) {
  double sum = 0;
  for (const auto& row : rows) sum += row.p_mislabelled;
  return sum;
}

TEST(Suspicions, MovingKeepsTheOrderAndReachesTheSum) {
  auto rows = rows_with({0.1, 0.8, 0.4, 0.999});
  move_to(rows, 1.5);
  EXPECT_NEAR(sum_of(rows), 1.5, 1e-5);
  EXPECT_LT(rows[0].suspicion, rows[2].suspicion);
  EXPECT_LT(rows[2].suspicion, rows[1].suspicion);
  EXPECT_LT(rows[1].suspicion, rows[3].suspicion);
  // All moved by the same amount.
  EXPECT_NEAR(rows[1].suspicion - rows[0].suspicion, std::log(0.8 / 0.2) - std::log(0.1 / 0.9), 1e-4);
}

TEST(Suspicions, TheTemperatureRisesInAmbiguousSetsOnly) {
  auto clear = rows_with({0.001, 0.999, 0.001, 0.001});
  scale_temperature(clear);
  EXPECT_NEAR(clear[1].p_mislabelled, 0.999, 1e-4);
  auto ambiguous = rows_with({0.3, 0.95, 0.4, 0.2});
  const double before = sum_of(ambiguous);
  scale_temperature(ambiguous);
  EXPECT_NEAR(sum_of(ambiguous), before, 1e-5);
  EXPECT_LT(ambiguous[1].p_mislabelled, 0.92);
  EXPECT_GT(ambiguous[1].p_mislabelled, ambiguous[2].p_mislabelled);
}

// Written out by hand: a right label is suspected when most of its companions are wrong, by half when half.
TEST(Suspicions, RightLabelsAreSuspectedWhereMostCompanionsAreWrong) {
  const double r = 0.2;
  EXPECT_NEAR(suspected_share(2, r), r + (1 - r) * r, 1e-12);
  EXPECT_NEAR(suspected_share(3, r), r + (1 - r) * (r * r + r * (1 - r)), 1e-12);
  EXPECT_NEAR(suspected_share(4, r), r + (1 - r) * (r * r * r + 3 * r * r * (1 - r)), 1e-12);
  EXPECT_NEAR(suspected_share(3, 0), 0, 1e-12);
}

TEST(Suspicions, PairsThatAccuseEachOtherCountHalf) {
  // Twenty classes of two that disagree, thirty that agree, a class of a hundred, and one that is alone.
  std::vector<double> probabilities(100, 0.001);
  std::vector<std::int64_t> sizes(100, 2);
  std::fill_n(probabilities.begin(), 40, 0.99);
  probabilities[0] = 0.995;
  probabilities.insert(probabilities.end(), 100, 0.1);
  sizes.insert(sizes.end(), 100, 100);
  probabilities.push_back(0.9);
  sizes.push_back(1);
  auto rows = rows_with(probabilities);
  correct_small_classes(rows, sizes);
  // 0.4 of the labels are suspected: r + (1 − r) r = 0.4.
  const double rate = 1 - std::sqrt(1 - (0.995 + 39 * 0.99 + 60 * 0.001) / 100);
  EXPECT_NEAR(sum_of(std::span(rows).first(100)), 100 * rate, 0.01);
  EXPECT_GT(rows[0].suspicion, rows[1].suspicion);
  EXPECT_GT(rows[1].suspicion, rows[50].suspicion);
  EXPECT_NEAR(rows[150].p_mislabelled, 0.1, 1e-6);  // of the large class: as it was
  EXPECT_NEAR(rows.back().p_mislabelled, (100 * rate + 10) / 200, 1e-3);
}

TEST(Suspicions, AFewSmallClassesAreLeftAlone) {
  auto rows = rows_with({0.99, 0.98, 0.01, 0.02});
  correct_small_classes(rows, std::vector<std::int64_t>{2, 2, 50, 50});
  EXPECT_NEAR(rows[0].p_mislabelled, 0.99, 1e-6);
}

}  // namespace
}  // namespace procsim
