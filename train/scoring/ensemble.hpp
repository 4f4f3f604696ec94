#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "train/scoring/cross_fit.hpp"

namespace procsim::train {

// What is thought of a sample, class by class.
struct ClassPrediction {
  std::vector<std::int32_t> classes;  // those that any round kept, besides the given one; ascending
  std::vector<double> share;          // of each, from the features alone
  std::vector<double> belief;         // of each, once the label is taken into account
  double given_share = 0;
  double given_belief = 0;
  bool known = false;  // some round had another sample of the given class to judge by
};

// Rounds that judge by the same features: the means of their probabilities count.
class Ensemble {
 public:
  explicit Ensemble(std::span<const CrossFit> rounds);  // at least one; must outlive it
  // `own`: the class of the given label. Not for two threads at once.
  ClassPrediction prediction_of(std::int64_t sample, std::int64_t own);
  std::int32_t fold_of(std::int64_t sample) const;  // in the first round

 private:
  std::span<const CrossFit> rounds_;
  ClassShares shares_;
  std::vector<double> share_, belief_;  // room: a class each, 0 between samples
};

// What two ensembles with features of their own think together: the geometric mean of their probabilities,
// which stays as sure as they are where they agree. (The arithmetic mean would not: it doubts whatever one
// doubts.)
ClassPrediction pooled(const ClassPrediction& one, const ClassPrediction& other,
                       const PoolingOptions& options = {});

}  // namespace procsim::train
