#pragma once

#include <cstdint>

#include "train/models/torch_types.hpp"

namespace procsim::train {

// What rows are turned into before models are fitted, without looking at labels: square roots where no number
// is negative (pooled activations, whose tails mislead covariances), centred, scaled to unit length, centred,
// and, where they are longer than `dimensions`, turned to their first `dimensions` principal components.
//
// The work is done in the smaller of samples and dimensions: few samples of 100,000 numbers cost a matrix of
// samples². Where they have fewer components than asked for, the rest are zeros. Where both are above 4,096,
// components come from a subspace iteration, so that memory and time grow with samples × dimensions only.
torch::Tensor prepare_rows(const torch::Tensor& rows, std::int64_t dimensions);

}  // namespace procsim::train
