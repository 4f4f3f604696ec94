#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/noise_model/class_scores.hpp"
#include "data/noise_model/scoring_options.hpp"
#include "train/models/torch.hpp"

namespace procsim::train {

// What a discriminant is made from: sums over some samples. Sums over disjoint samples add up, so the sums of
// "all folds but these" are had without touching a sample again.
struct ClassSums {
  torch::Tensor scatter;  // Σ x xᵀ, dimension × dimension
  torch::Tensor sums;     // Σ r x by class, classes × dimension; r = how much of a sample belongs to a class
  torch::Tensor weights;  // Σ r by class
  double samples = 0;

  ClassSums& operator+=(const ClassSums& other);
};

// Classes told apart by the angle between a sample and the class means, measured where the scatter within
// classes is round: with W the pooled covariance within classes, shrunk towards a multiple of the identity,
// the score of class c is the cosine of W^(−½)(x−m) and W^(−½)(μ_c−m), with m the mean of the class means:
// the mean of the samples would lie in the largest class. A class without samples scores kUnsupported.
class Discriminant {
 public:
  // options.shrinkage is taken as it is.
  Discriminant(const ClassSums& sums, const DiscriminantOptions& options);

  torch::Tensor cosines(const torch::Tensor& rows) const;  // rows × classes
  // Of each row: the distance to the nearest class mean, where the scatter is round.
  std::vector<double> nearest(const torch::Tensor& rows) const;
  // The `count` other classes (fewer where there are fewer) whose means are nearest, nearest first.
  std::vector<std::vector<std::int32_t>> alike(std::int64_t count) const;

 private:
  torch::Tensor whitener_;    // dimension × dimension: row · whitener is the row where scatter is round
  torch::Tensor centre_;      // 1 × dimension: the mean of the class means, where scatter is round
  torch::Tensor directions_;  // dimension × classes, unit columns
  torch::Tensor lengths_;     // 1 × classes: of the means, from the centre; infinite without samples
  torch::Tensor absent_;      // classes without samples, indices
};

// Scores rows of samples with a model and puts them at `first` and after. `given` is the class of each row.
// Works in blocks: a block of rows × classes is all that exists at a time.
void score_rows(const Discriminant& model, const torch::Tensor& rows, std::span<const std::int64_t> given,
                ClassScores& scores, std::int64_t first);

}  // namespace procsim::train
