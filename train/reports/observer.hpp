#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "data/base/progress.hpp"
#include "train/reports/epoch_record.hpp"
#include "train/reports/quantity.hpp"

namespace procsim::train {

// A live view of a run.
struct StepReport {
  std::int64_t epoch = 0, epochs = 0;
  std::int64_t step = 0, steps = 0;
  double images_per_second = 0;
  double loss = 0;                                          // mean of the epoch so far
  std::vector<std::pair<const Quantity*, double>> means{};  // likewise, of what the method reports
  double seconds_left = 0;                                  // of the whole run
};

struct TrainObserver {
  std::function<void(std::string_view)> note;
  std::function<void(const StepReport&)> step;
  std::function<void(const EpochRecord&, std::span<const Quantity>)> epoch;
  std::function<Progress(std::string_view what)> progress;  // for long preparations
  const std::atomic<bool>* stop = nullptr;                  // set by Ctrl-C: finish the step, save, return

  Progress progress_of(std::string_view what) const { return progress ? progress(what) : Progress{}; }
};

}  // namespace procsim::train
