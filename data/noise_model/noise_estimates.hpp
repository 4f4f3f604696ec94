#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "data/labels/scores.hpp"
#include "data/noise_model/scoring_options.hpp"

namespace procsim {

// Sums of beliefs by pair of given class and class believed in.
class PairBeliefs {
 public:
  // Beliefs below `least` are not kept.
  PairBeliefs(std::int64_t classes, double least) : classes_(classes), least_(least) {}

  void add(std::int64_t given, std::int64_t believed, double belief);

  struct Sum {
    double wrong = 0;      // Σ b
    double variance = 0;   // Σ b (1 − b)
    double ambiguous = 0;  // Σ min(b, 1 − b)
  };
  const std::unordered_map<std::int64_t, Sum>& sums() const { return sums_; }  // given · classes + believed
  std::int64_t classes() const { return classes_; }

 private:
  std::int64_t classes_;
  double least_;
  std::unordered_map<std::int64_t, Sum> sums_;
};

// From probabilities of being wrong: their sum; its spread if each were an independent draw; the part of it
// that rests on probabilities which are neither near 0 nor near 1, where a model's error shows most, and the
// more so the fewer labels a class has; and a floor of one label in a hundred, below which no classifier's
// confusions can be told from errors of labels (docs/scoring-method.md says how the two were measured).
WrongCount count_wrong(std::span<const double> probabilities, std::int64_t classes,
                       const EstimateOptions& options = {});

// Classes by label, pairs with half an expected error or more, most errors first, at most 1,000
// (EstimateOptions). `labels[c]` is the label of class c, `given` the class of each row.
ScoreEstimates noise_estimates(std::span<const std::int32_t> labels, std::span<const std::int64_t> given,
                               std::span<const ScoreRow> rows, const PairBeliefs& pairs,
                               const EstimateOptions& options = {});

}  // namespace procsim
