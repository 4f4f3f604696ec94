#pragma once

#include <nlohmann/json.hpp>

#include "train/models/torch.hpp"

namespace procsim::train {

// What a loss sees of a batch of B samples.
struct LossBatch {
  torch::Tensor embeddings;  // B × D, L2-normalised
  torch::Tensor labels;      // B, int64, dense: 0 … number of training classes − 1
  // How far each sample is trusted as the partner of another (B values in [0, 1], no gradient). Undefined:
  // fully. A partner at 0.5 or below takes no part; above that its terms are weighted by it.
  torch::Tensor partner_confidence;
};

// A metric-learning loss that gives one value per sample, so that the loop can weight each by its confidence
// and reduce. docs/adding-a-loss.md shows how to add one.
class SampleLoss {
 public:
  virtual ~SampleLoss() = default;

  // B values with gradients to the embeddings; their mean is the loss as published.
  virtual torch::Tensor operator()(const LossBatch& batch) = 0;

  // What it remembers between batches, for checkpoints. A loss without memory keeps these.
  virtual nlohmann::json state() const { return nullptr; }
  virtual void restore(const nlohmann::json&) {}
};

// The two kinds of pairs of a batch, as B × B masks over (anchor, partner): same label without the sample
// itself, and other label. Partners that are not trusted are in neither.
struct PairMasks {
  torch::Tensor positive;
  torch::Tensor negative;
};
PairMasks pair_masks(const LossBatch& batch);

}  // namespace procsim::train
