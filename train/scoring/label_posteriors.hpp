#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "train/scoring/cross_fit.hpp"

namespace procsim::train {

// What is believed of a sample's class once its label is taken into account, by models that have not seen the
// label.
struct LabelPosterior {
  double given = 1;         // that the given class is the true one
  std::int64_t other = -1;  // the class believed in most besides it; −1: none
  double other_belief = 0;
};

// A row of embeddings, an id and a dense class for every sample (train/scoring/cross_fit.hpp); `rounds` of
// cross-fitting are averaged.
std::vector<LabelPosterior> label_posteriors(const torch::Tensor& embeddings,
                                             std::span<const std::int64_t> ids,
                                             std::span<const std::int64_t> classes,
                                             const ClassDistances& distances, const CrossFitOptions& options,
                                             int rounds);

}  // namespace procsim::train
