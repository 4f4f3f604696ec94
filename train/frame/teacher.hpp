#pragma once

#include <memory>
#include <optional>

#include "train/frame/checkpoint_part.hpp"
#include "train/models/embedder.hpp"

namespace procsim::train {

// A model that follows another one at a distance and never learns by itself: its weights as they were when
// `follow` was called last (once an epoch: the teacher of an epoch ago), or, with a momentum, a moving
// average over all calls.
class Teacher {
 public:
  // `model`: like the student. Momentum in [0, 1): how much of the teacher stays at each call; none: nothing.
  // Throws UsageError for others.
  explicit Teacher(std::unique_ptr<Embedder> model, std::optional<double> momentum = {});

  // Takes over the student's weights, or moves towards them; what batch normalisation counted is taken over.
  void follow(Embedder& student);

  // Unit embeddings without gradients, in evaluation mode, of inputs to `stage`.
  torch::Tensor embed(const torch::Tensor& view, std::size_t stage = 0);

  void save(const CheckpointPart& part);
  void restore(const CheckpointPart& part);

 private:
  std::unique_ptr<Embedder> model_;
  std::optional<double> momentum_;
};

}  // namespace procsim::train
