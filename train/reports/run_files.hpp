#pragma once

#include <filesystem>
#include <string_view>
#include <utility>

namespace procsim::train {

// What config.json and checkpoints say they are. Files of users carry these: they never change.
inline constexpr std::string_view kRunFormat = "run/1";
inline constexpr std::string_view kCheckpointFormat = "checkpoint/2";

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

}  // namespace procsim::train
