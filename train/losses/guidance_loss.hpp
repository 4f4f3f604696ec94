#pragma once

#include "train/models/torch.hpp"

namespace procsim::train {

// How far the visual similarities of a batch are from those that the guidance gives, a value per sample:
// ℓᵢ = KL( softmax Vᵢ ‖ softmax Langᵢ ), with V = X̂X̂ᵀ, Lang = `guidance` + `shift` and entries of the same
// label 1 + `shift` in both (docs/paper-map.md). `embeddings` are B × D of unit length, `guidance` B × B
// cosines without gradient. The paper's shift is 1. V, which is not shifted, then stays below Lang as long as
// it can grow: beside what is alike, everything is drawn together. With 0 both have the same scale.
torch::Tensor guidance_loss(const torch::Tensor& embeddings, const torch::Tensor& labels,
                            const torch::Tensor& guidance, double shift = 1);

}  // namespace procsim::train
