#pragma once

#include <cstdint>
#include <span>

namespace procsim {

// How well a ranking (larger = more suspect) finds wrong labels, given which labels are wrong.
struct DetectionRanking {
  double auroc = 0;                // ties count half; NaN when all labels are right or all wrong
  double average_precision = 0;    // Σ (Rₙ − Rₙ₋₁) Pₙ over distinct values; NaN when no label is wrong
  double precision_at_errors = 0;  // among as many top samples as there are wrong labels; ties by index
};
DetectionRanking rank_detection(std::span<const double> suspicion, std::span<const std::uint8_t> wrong);

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
