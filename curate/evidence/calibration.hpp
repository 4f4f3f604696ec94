#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace procsim::curate {

// One reviewed sample: what the file's calibration said, and what the reviewer found.
struct CalibrationCase {
  double probability = 0;  // that the label is wrong, as scored
  std::uint64_t pair = 0;  // which (given, suggested) pair of classes it belongs to
  bool wrong = false;      // as reviewed
};

// Probabilities that learn from review: log odds' = slope · log odds + shift + offset of the pair. The
// maximum of the posterior with slope ~ N(1, 0.5²), shift ~ N(0, 1), offsets ~ N(0, 1): with no cases it
// changes nothing, and a pair that reviewers keep confirming rises before those that they keep rejecting.
// What is surer than 99.5 % counts as 99.5 % to the fit, and the slope takes no more from it than from that:
// people err in a few cases of a hundred, so a label of log odds 14 that was kept says no more than one of 5.
class Calibration {
 public:
  Calibration() = default;
  // `start` is where the search begins: the fit before, when a few cases have been added.
  static Calibration fit(std::span<const CalibrationCase> cases, const Calibration& start);
  static Calibration fit(std::span<const CalibrationCase> cases) { return fit(cases, {}); }

  double operator()(double probability, std::uint64_t pair) const;
  // The log odds, as scored, with which a pair without an offset would be as likely wrong: an order of all
  // labels in which a new case moves the reviewed pairs alone. Where a pair has no offset, its own.
  double log_odds_without_offset(double probability, std::uint64_t pair) const;
  double slope() const { return slope_; }
  double shift() const { return shift_; }
  double offset(std::uint64_t pair) const;
  std::vector<std::uint64_t> pairs() const;  // that have an offset

 private:
  double slope_ = 1, shift_ = 0;
  std::unordered_map<std::uint64_t, double> offsets_;
};

// Finite also for what is certain.
double log_odds(double probability);

std::uint64_t pair_key(std::int32_t given, std::int32_t suggested);

}  // namespace procsim::curate
