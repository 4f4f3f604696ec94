#pragma once

#include <filesystem>

#include "train/torch.hpp"
#include "train/trainer.hpp"

namespace procsim::train {

// What labels can be judged by besides a file (train/scoring/embedding_file.hpp): a row per training sample.

// Embeddings by a run's model.
torch::Tensor run_embeddings(const TrainConfig& config, const TrainData& data,
                             const std::filesystem::path& checkpoint, const MachineOptions& machine,
                             const TrainObserver& observer);

// Pooled features of the pretrained backbone that the configuration names, without any training. Throws Error
// when it has no pretrained weights.
torch::Tensor pretrained_features(const TrainConfig& config, const TrainData& data,
                                  const MachineOptions& machine, const TrainObserver& observer);

}  // namespace procsim::train
