#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace procsim {

// How well a score finds wrong labels. `scores` and `wrong` have a value per sample; larger scores are more
// suspect. Ties count as scikit-learn counts them: half a pair for AUROC, one threshold for average
// precision.

// Positions from the largest score to the smallest; equal ones stay in their order.
std::vector<std::size_t> descending_order(std::span<const double> scores);

// Probability that a wrong label scores above a right one. Empty when all labels are right or all are wrong.
std::optional<double> auroc(std::span<const double> scores, std::span<const std::uint8_t> wrong);

// Area under precision over recall as a step function. Empty when no label is wrong.
std::optional<double> average_precision(std::span<const double> scores, std::span<const std::uint8_t> wrong);

struct AtRank {
  std::size_t k = 0;
  double precision = 0;
  double recall = 0;
};
// At each k in `ranks` (cut to the number of samples). `wrong` comes in ranked order, most suspect first.
std::vector<AtRank> precision_recall_at(std::span<const std::uint8_t> ranked_wrong,
                                        std::span<const std::size_t> ranks);

struct ReliabilityBin {
  double low = 0, high = 0;
  std::size_t count = 0;
  double predicted = 0;  // mean probability in the bin
  double observed = 0;   // share of wrong labels in the bin
};
// Equal-width bins over [0, 1]; a probability between two belongs to the lower one, as in scikit-learn. Empty
// bins are left out.
std::vector<ReliabilityBin> reliability(std::span<const double> probabilities,
                                        std::span<const std::uint8_t> wrong, std::size_t bins);
// Mean |observed − predicted| over the bins, weighted by their counts.
double expected_calibration_error(std::span<const ReliabilityBin> bins);
double brier_score(std::span<const double> probabilities, std::span<const std::uint8_t> wrong);

// Two rankings of the same samples, by DeLong, DeLong & Clarke-Pearson (1988).
struct AurocDifference {
  double first = 0, second = 0;
  double difference = 0;     // second − first
  double low = 0, high = 0;  // 95 % interval of the difference
  double p_value = 1;        // two-sided, of no difference
};
std::optional<AurocDifference> compare_auroc(std::span<const double> first, std::span<const double> second,
                                             std::span<const std::uint8_t> wrong);

// Spearman's rank correlation with midranks. Empty when one side is constant.
std::optional<double> spearman(std::span<const double> first, std::span<const double> second);

// Ranks 1 … n in ascending order; equal values share the mean of their ranks.
std::vector<double> midranks(std::span<const double> values);

struct DetectionRanking {
  double auroc = 0;                // NaN when all labels are right or all wrong
  double average_precision = 0;    // NaN when no label is wrong
  double precision_at_errors = 0;  // among as many top samples as there are wrong labels; ties by index
};
DetectionRanking rank_detection(std::span<const double> scores, std::span<const std::uint8_t> wrong);

// How well a set of accused samples fits the wrong ones. 0 where a denominator is 0.
struct DetectionCounts {
  std::int64_t accused = 0;
  std::int64_t wrong = 0;
  std::int64_t both = 0;

  void add(bool is_accused, bool is_wrong);
  double precision() const;
  double recall() const;
  double f1() const;
};

}  // namespace procsim
