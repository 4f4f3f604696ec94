#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "train/scoring/cross_fit.hpp"

namespace procsim::train {

// Cross-fits the same embeddings (a row a sample, any scale) several times, each round with the samples dealt
// to other folds by the seed of `options`. Progress counts over all rounds.
std::vector<CrossFit> cross_fit_rounds(const torch::Tensor& embeddings, std::span<const std::int64_t> ids,
                                       std::span<const std::int64_t> classes, const ClassDistances& distances,
                                       const CrossFitOptions& options, int rounds);

}  // namespace procsim::train
