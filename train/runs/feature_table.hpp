#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "data/files/atomic_file.hpp"
#include "train/models/torch_types.hpp"
#include "train/reports/observer.hpp"
#include "train/reports/run_files.hpp"
#include "train/samples/train_data.hpp"
#include "train/settings/config.hpp"
#include "train/settings/machine.hpp"

namespace procsim::train {

// The features that labels are judged by, a row per training sample, for callers that know no tensors: a
// command takes them from one of three places and hands rows() on.
class FeatureTable {
 public:
  FeatureTable() = default;

  // From Parquet (train/scoring/embedding_file.hpp); `dimension` 0: any.
  static FeatureTable read(const std::filesystem::path& path, const TrainData& data,
                           std::int64_t dimension = 0);
  // The samples that such a file has features of.
  static std::vector<std::int64_t> samples_of(const std::filesystem::path& path);
  // Of the pretrained backbone and of a run's model (train/runs/embedding_sources.hpp).
  static FeatureTable of_pretrained(const TrainConfig& config, const TrainData& data,
                                    const MachineOptions& machine, const TrainObserver& observer);
  static FeatureTable of_run(const TrainConfig& config, const TrainData& data,
                             const std::filesystem::path& checkpoint, const MachineOptions& machine,
                             const TrainObserver& observer);

  const torch::Tensor& rows() const { return *rows_; }  // not of an empty table
  // Parquet that `read` takes.
  void write(const TrainData& data, const std::filesystem::path& path, IfExists if_exists) const;

 private:
  explicit FeatureTable(const torch::Tensor& rows);

  std::shared_ptr<const torch::Tensor> rows_;
};

}  // namespace procsim::train
