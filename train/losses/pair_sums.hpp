#pragma once

#include "train/models/torch.hpp"

// What losses over the pairs of a batch have in common. Masks are B × B over (anchor, partner); `weights` are
// those of the B partners, undefined for ones.
namespace procsim::train {

// Euclidean distances of unit vectors from their cosines. A floor keeps the gradient finite where two
// coincide.
torch::Tensor distances_of(const torch::Tensor& similarity);

// ln Σ_j w_j e^{exponent_j} over the masked entries of each row; far below everything for a row without any.
torch::Tensor log_sum(const torch::Tensor& exponents, const torch::Tensor& mask,
                      const torch::Tensor& weights = {});

// ln(1 + Σ_j w_j e^{exponent_j}) over the masked entries of each row.
torch::Tensor log_one_plus_sum(const torch::Tensor& exponents, const torch::Tensor& mask,
                               const torch::Tensor& weights = {});

// Values whose mean over all rows is the mean over the rows that `counted` marks; 0 where it does not.
torch::Tensor mean_over(const torch::Tensor& values, const torch::Tensor& counted);

}  // namespace procsim::train
