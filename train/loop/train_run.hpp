#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "train/reports/observer.hpp"
#include "train/reports/run_files.hpp"
#include "train/samples/train_data.hpp"
#include "train/settings/config.hpp"
#include "train/settings/machine.hpp"

namespace procsim::train {

class Registry;
struct Session;

struct TrainResult {
  bool finished = false;  // false: stopped early, resumable
  std::vector<EpochRecord> records;
  std::int64_t best_epoch = 0;
  // What the training remembers of each training sample, from when it saw it last: how much the method
  // doubted its label (NaN: it never did) and how far it trusted it.
  std::vector<float> suspicion;
  std::vector<float> trust;
  std::shared_ptr<Session> session;  // the trained model with its inputs
};

struct TrainRunOptions {
  bool resume = false;                  // go on where last.safetensors stands
  std::function<void()> saved_first{};  // a new run's first checkpoint stands: what it replaces may go
  bool guidance_view = true;           // a page that shows what the guidance believes: a pass over the images
  const Registry* registry = nullptr;  // of methods; null: what is built in
};

// Trains. Writes everything but config.json and the scores into the folder: the same configuration, data and
// machine give the same bytes, resumed or not. Throws Error for bad data, and for a loss that is not a number
// (with the batch that caused it in failed_batch.csv).
TrainResult train_run(const TrainConfig& config, const TrainData& data, const RunFiles& files,
                      const MachineOptions& machine, const TrainObserver& observer,
                      const TrainRunOptions& options = {});

}  // namespace procsim::train
