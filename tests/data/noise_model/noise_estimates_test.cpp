#include "data/noise_model/noise_estimates.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "data/noise_model/label_noise.hpp"
#include "data/noise_model/noise_fit.hpp"
#include "tests/data/noise_model/simulated_scores.hpp"

namespace procsim {
namespace {

TEST(NoiseEstimates, ProbabilitiesMeanWhatTheySayAndIntervalsCoverTheTruth) {
  int covered = 0;
  constexpr int runs = 20;
  double error = 0;
  for (int run = 0; run < runs; ++run) {
    const double rate = 0.5 * run / (runs - 1);
    const auto kind = run % 2 == 0 ? Simulated::Kind::kUniform : Simulated::Kind::kSibling;
    const Simulated set(20, 1000, rate, kind, 100 + static_cast<std::uint64_t>(run));
    const auto distances = families(20);
    const auto scores = scores_of(set.table, set.given, 20);
    const auto fit = fit_noise(scores, set.given, distances);
    std::vector<double> probabilities;
    std::vector<double> said(10, 0);
    std::vector<double> seen(10, 0);
    for (std::size_t i = 0; i < set.given.size(); ++i) {
      probabilities.push_back(
          1 - fit.beliefs(scores, static_cast<std::int64_t>(i), set.given[i], distances).given);
      const auto bin = std::min<std::size_t>(9, static_cast<std::size_t>(probabilities.back() * 10));
      said[bin] += probabilities.back();
      seen[bin] += set.truth[i] != set.given[i];
    }
    const auto count = count_wrong(probabilities, 20);
    const double truth = set.wrong_share() * 1000;
    covered += count.low <= truth && truth <= count.high;
    for (std::size_t bin = 0; bin < 10; ++bin) error += std::abs(said[bin] - seen[bin]) / 1000 / runs;
  }
  EXPECT_GE(covered, 18);
  EXPECT_LT(error, 0.05);
}

// Twenty labels of four classes at 0.5 each: Σ p = 10, Σ p (1 − p) = 5, ambiguous 10; doubt 0.35 · (1 + 5/5)
// gives √(5 + 7²) = 7.3485, times 1.6449 is 12.087, and 1 % of the labels is 0.2.
TEST(NoiseEstimates, AnIntervalIsTheSpreadTheDoubtAndTheFloor) {
  const std::vector<double> even(20, 0.5);
  const auto all = count_wrong(even, 4);
  EXPECT_DOUBLE_EQ(all.wrong, 10);
  EXPECT_EQ(all.low, 0);
  EXPECT_EQ(all.high, 20);
  // Nineteen sure ones and one at 0.5: √(0.25 + (0.35 · 2 · 0.5)²) = 0.61033 · 1.64485 + 0.2 = 1.20390.
  std::vector<double> sure(20, 1.0);
  sure[0] = 0.5;
  const auto one = count_wrong(sure, 4);
  EXPECT_DOUBLE_EQ(one.wrong, 19.5);
  EXPECT_NEAR(one.low, 19.5 - 1.20390, 1e-4);
  EXPECT_EQ(one.high, 20);
}

TEST(NoiseEstimates, NamePairsByTheirErrorsAndLeaveOutTheRarest) {
  const std::vector<std::int32_t> labels{3, 5, 9};
  const std::vector<std::int64_t> given{0, 0, 1, 1};
  std::vector<ScoreRow> rows(4);
  rows[0].p_mislabelled = 0.75F;
  rows[1].p_mislabelled = 1;
  rows[2].p_mislabelled = 0.25F;
  PairBeliefs pairs(3, 1e-3);
  pairs.add(0, 1, 0.75);
  pairs.add(0, 2, 1);
  pairs.add(1, 0, 0.25);
  const auto estimates = noise_estimates(labels, given, rows, pairs);
  EXPECT_DOUBLE_EQ(estimates.noise_rate.rate, 2.0 / 4);
  ASSERT_EQ(estimates.by_pair.size(), 2U) << "a quarter of an error is not named";
  EXPECT_EQ(estimates.by_pair[0].given, 3);
  EXPECT_EQ(estimates.by_pair[0].suggested, 9);
  EXPECT_EQ(estimates.by_pair[1].suggested, 5);
  EXPECT_EQ(estimates.by_class[0].count.wrong, 1.75);
  EXPECT_EQ(noise_estimates(labels, given, rows, pairs, {.least_pair = 0.2}).by_pair.size(), 3U);
  EXPECT_EQ(noise_estimates(labels, given, rows, pairs, {.most_pairs = 1}).by_pair.size(), 1U);
}

}  // namespace
}  // namespace procsim
