#pragma once

#include "train/models/torch.hpp"

namespace procsim::train {

// What a sum of weighted losses is divided by.
enum class AverageOver {
  kSamples,  // all samples of the batch, as the paper has it
  // The weights of the samples that contribute (whose loss is not 0), at least 1. Where few samples are
  // trusted, and fewer still find a trusted partner, the sum stays as strong as a term beside it that every
  // sample feels.
  kTrust,
};

// Σ wᵢ·ℓᵢ over the one or the other: B losses with gradients, B weights without.
torch::Tensor weighted_average(const torch::Tensor& losses, const torch::Tensor& weights, AverageOver over);

}  // namespace procsim::train
