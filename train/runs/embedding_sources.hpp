#pragma once

#include <filesystem>

#include "train/models/torch.hpp"
#include "train/reports/observer.hpp"
#include "train/reports/run_files.hpp"
#include "train/samples/train_data.hpp"
#include "train/settings/config.hpp"
#include "train/settings/machine.hpp"

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
