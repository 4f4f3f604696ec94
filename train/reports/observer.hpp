#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string_view>

#include "data/base/progress.hpp"
#include "train/reports/epoch_record.hpp"

namespace procsim::train {

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

}  // namespace procsim::train
