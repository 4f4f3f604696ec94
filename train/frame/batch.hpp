#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "train/models/torch.hpp"

namespace procsim {
class ClassDistances;  // data/noise_model/class_distances.hpp
}

namespace procsim::train {

// What a method gets for a step.
struct Batch {
  std::vector<std::int64_t> samples;  // B places in the training data
  torch::Tensor labels;               // B, int64, dense: 0 … number of training classes − 1
  // As many as the method asks for, each with augmented inputs of `stage`: B of them, or with several
  // processes those of this one's slice. Network::forward makes embeddings of all B from either.
  std::vector<torch::Tensor> views;
  std::size_t stage = 0;   // of the backbone: 0 for pixels, later for kept activations
  std::int64_t epoch = 0;  // both counted from 0
  std::int64_t step = 0;
};

// The whole training data, as a method sees it before the first epoch and at the start of each.
struct TrainingSet {
  std::int64_t epoch = 0;
  std::span<const std::int64_t> labels;  // dense class of every sample, as given
  std::int64_t classes = 0;
  std::span<const std::int64_t> ids{};        // sample ids, in the same order
  const ClassDistances* distances = nullptr;  // how the classes lie to each other; null: not known
  // Unit embeddings of every sample's centre crop by the network that is evaluated, a row a sample, on the
  // CPU: a pass over all images each time it is called.
  std::function<torch::Tensor()> embeddings;
};

}  // namespace procsim::train
