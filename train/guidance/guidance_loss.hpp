#pragma once

#include "train/torch.hpp"

namespace procsim {

// How far the visual similarities of a batch are from those that the guidance gives, a value per sample:
// ℓᵢ = KL( softmax Vᵢ ‖ softmax Langᵢ ), with V = X̂X̂ᵀ, Lang = `guidance` + 1 and entries of the same label 2
// in both (docs/paper-map.md). `embeddings` are B × D of unit length, `guidance` B × B cosines without
// gradient.
torch::Tensor guidance_loss(const torch::Tensor& embeddings, const torch::Tensor& labels,
                            const torch::Tensor& guidance);

}  // namespace procsim
