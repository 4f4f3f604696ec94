#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/noise_model/class_scores.hpp"
#include "data/noise_model/scoring_options.hpp"
#include "train/models/torch.hpp"
#include "train/scoring/class_sums.hpp"
#include "train/scoring/shortlists.hpp"

namespace procsim::train {

// Classes told apart by the angle between a sample and the class means, measured where the scatter within
// classes is round: with W the pooled covariance within classes, shrunk towards a multiple of the identity,
// the score of class c is the cosine of W^(−½)(x−m) and W^(−½)(μ_c−m), with m the mean of the class means:
// the mean of the samples would lie in the largest class. A class without samples scores kUnsupported.
class Discriminant {
 public:
  // Of a block of rows × classes: large ones cost page faults.
  static constexpr std::int64_t kBlockValues = std::int64_t{1} << 19;

  // options.shrinkage is taken as it is.
  Discriminant(const ClassSums& sums, const DiscriminantOptions& options);

  torch::Tensor cosines(const torch::Tensor& rows) const;  // rows × classes
  // Scores of the classes on the shortlist of each row's sample, and what is known of the others together.
  struct Listed {
    torch::Tensor scores;             // rows × shortlist
    std::vector<OtherScores> others;  // a row each; empty where every class is listed
  };
  Listed cosines(const torch::Tensor& rows, std::span<const std::int64_t> samples,
                 const Shortlists& lists) const;
  // Of each row: the distance to the nearest mean of a class listed for its sample, where the scatter is
  // round.
  std::vector<double> nearest(const torch::Tensor& rows, std::span<const std::int64_t> samples,
                              const Shortlists& lists) const;
  // The `count` other classes (fewer where there are fewer) whose means are nearest, nearest first.
  std::vector<std::vector<std::int32_t>> alike(std::int64_t count) const;

 private:
  torch::Tensor placed(const torch::Tensor& rows) const;  // where the scatter is round, from the centre
  // Of placed rows, the products with the directions of each one's listed classes.
  torch::Tensor products(const torch::Tensor& placed_rows, std::span<const std::int64_t> samples,
                         const Shortlists& lists) const;
  std::int64_t classes() const { return directions_.size(1); }

  torch::Tensor whitener_;       // dimension × dimension: row · whitener is the row where scatter is round
  torch::Tensor centre_;         // 1 × dimension: the mean of the class means, where scatter is round
  torch::Tensor directions_;     // dimension × classes, unit columns
  torch::Tensor by_class_;       // the same, classes × dimension
  torch::Tensor direction_sum_;  // dimension × 1: of the classes with samples
  torch::Tensor second_moment_;  // dimension × dimension: Σ d dᵀ of their directions
  torch::Tensor lengths_;        // classes: of the means, from the centre
  torch::Tensor absent_;         // classes without samples, indices
  std::vector<bool> is_absent_;  // a class each
};

// With more shrinkage where there are few samples for the dimensions; options.shrinkage is the least.
Discriminant shrunk_discriminant(const ClassSums& sums, DiscriminantOptions options);

}  // namespace procsim::train
