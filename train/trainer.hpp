#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/base/progress.hpp"
#include "train/config.hpp"
#include "train/epoch_record.hpp"
#include "train/train_data.hpp"

namespace procsim::train {

// How the machine is used: changes the time, not the result (on one machine).
struct MachineOptions {
  std::string device = "auto";
  int workers = 0;                              // threads that decode and batch; 0: one per core
  int threads = 0;                              // threads of the tensor library; 0: its own choice
  std::int64_t memory = std::int64_t{1} << 30;  // decoded images kept in memory, bytes
  std::filesystem::path cache_folder;           // kept activations
  std::filesystem::path model_folder;           // pretrained weights by backbone name
  bool trust_code = false;
  std::int64_t checkpoint_steps = 0;  // also save every so many steps; 0: after every epoch only
};

// Whether the words for the machine and the network can be followed: the device's name, trust in the code of
// a TorchScript backbone, the stage that --train-from names. Opens no file and looks for no GPU. Throws
// UsageError.
void check_machine(const TrainConfig& config, const MachineOptions& machine);

// A live view of a run.
struct StepReport {
  std::int64_t epoch = 0, epochs = 0;
  std::int64_t step = 0, steps = 0;
  double images_per_second = 0;
  double loss = 0, mean_sigma = 0, share_below = 0;  // means of the epoch so far
  double seconds_left = 0;                           // of the whole run
};

struct TrainObserver {
  std::function<void(std::string_view)> note;
  std::function<void(const StepReport&)> step;
  std::function<void(const EpochRecord&)> epoch;
  std::function<Progress(std::string_view what)> progress;  // for long preparations
  const std::atomic<bool>* stop = nullptr;                  // set by Ctrl-C: finish the step, save, return

  Progress progress_of(std::string_view what) const { return progress ? progress(what) : Progress{}; }
};

struct TrainResult {
  bool finished = false;  // false: stopped early, resumable
  std::vector<EpochRecord> records;
  std::int64_t best_epoch = 0;
};

// What config.json and checkpoints say they are. Files of users carry these: they never change.
inline constexpr std::string_view kRunFormat = "run/1";
inline constexpr std::string_view kCheckpointFormat = "checkpoint/1";

// The files of a run, below its folder. config.json, metrics.csv, metrics.jsonl, the event file and
// report.html are for people; last and best are checkpoints.
struct RunFiles {
  explicit RunFiles(std::filesystem::path run_folder) : folder(std::move(run_folder)) {}
  std::filesystem::path folder;

  std::filesystem::path config() const { return folder / "config.json"; }
  std::filesystem::path last() const { return folder / "last.safetensors"; }
  std::filesystem::path best() const { return folder / "best.safetensors"; }
  std::filesystem::path scores() const { return folder / "scores.parquet"; }
  std::filesystem::path folds() const { return folder / "folds"; }
  std::filesystem::path page() const { return folder / "report.html"; }
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
