#pragma once

#include <cstdint>
#include <vector>

#include "train/reports/observer.hpp"
#include "train/reports/run_files.hpp"
#include "train/samples/train_data.hpp"
#include "train/settings/config.hpp"
#include "train/settings/machine.hpp"

namespace procsim::train {

struct TrainResult {
  bool finished = false;  // false: stopped early, resumable
  std::vector<EpochRecord> records;
  std::int64_t best_epoch = 0;
};

// What a run ends with besides its model.
enum class RunEnd { kScores, kModelOnly };

// Trains, or continues where last.safetensors stands when `resume`. Writes everything but config.json into
// the folder: the same configuration, data and machine give the same bytes, resumed or not. Throws Error for
// bad data, and for a loss that is not a number (with the batch that caused it in failed_batch.csv).
TrainResult train_run(const TrainConfig& config, const TrainData& data, const RunFiles& files,
                      const MachineOptions& machine, const TrainObserver& observer, bool resume,
                      RunEnd end = RunEnd::kScores);

}  // namespace procsim::train
