#pragma once

#include <filesystem>
#include <string>

#include "train/frame/method.hpp"
#include "train/loop/run_state.hpp"
#include "train/reports/epoch_meter.hpp"
#include "train/settings/config.hpp"

namespace procsim::train {

// What a run must find unchanged when it is resumed: digests of its label set and of what guides it ("" for
// none).
struct RunInputs {
  std::string labels;
  std::string guidance;
};

// Everything that a run goes on from, atomically (format checkpoint/2, docs/formats.md).
void save_checkpoint(const std::filesystem::path& path, const TrainConfig& config, const RunInputs& inputs,
                     const RunState& state, const EpochMeter& meter, Method& method);
// Throws Error that names the file and what to do for one of another format, of other labels or another
// guidance, or of another method.
void restore_checkpoint(const std::filesystem::path& path, const RunInputs& inputs, RunState& state,
                        EpochMeter& meter, Method& method);

// The evaluated model alone.
void save_model(const std::filesystem::path& path, const TrainConfig& config, std::int64_t epoch,
                Embedder& model);

}  // namespace procsim::train
