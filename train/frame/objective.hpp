#pragma once

#include "train/frame/checkpoint_part.hpp"
#include "train/models/optimizer_state.hpp"
#include "train/models/torch.hpp"

namespace procsim::train {

struct Batch;

// What an objective sees of a batch of B samples.
struct LossBatch {
  torch::Tensor embeddings;  // B × D, L2-normalised
  torch::Tensor labels;      // B, int64, dense: 0 … number of training classes − 1
  // How far each sample is trusted as the partner of another (B values in [0, 1], no gradient). Undefined:
  // fully. A partner at 0.5 or below takes no part; above that its terms are weighted by it.
  torch::Tensor partner_confidence;
  // The batch of the step, for what needs its samples, views or epoch. Null: only the embeddings are known.
  const Batch* step = nullptr;
};

// A metric-learning loss that gives one value per sample, so that a method can weight each by its trust and
// reduce. docs/adding-a-method.md shows how to add one.
class Objective {
 public:
  virtual ~Objective() = default;

  // B values with gradients to the embeddings; their mean is the loss as published.
  virtual torch::Tensor operator()(const LossBatch& batch) = 0;

  // A term of the batch that no sample's trust weights, added as it is. Undefined: none.
  virtual torch::Tensor penalty(const LossBatch&) { return {}; }

  // Parameters of its own (centres, class weights) that learn from the objective's gradient at a rate of
  // their own. They are leaves on the network's device and live as long as the objective; who uses the
  // objective steps and saves them.
  virtual NamedParameters parameters() { return {}; }
  virtual double learning_rate() const { return 1e-3; }

  // Augmented views of each sample that it looks at; the embeddings are those of the first.
  virtual std::int64_t views() const { return 1; }

  // What else it remembers between batches.
  virtual void save(const CheckpointPart&) const {}
  virtual void restore(const CheckpointPart&) {}
};

// The two kinds of pairs of a batch, as B × B masks over (anchor, partner): same label without the sample
// itself, and other label. Partners that are not trusted are in neither.
struct PairMasks {
  torch::Tensor positive;
  torch::Tensor negative;
};
PairMasks pair_masks(const LossBatch& batch);

}  // namespace procsim::train
