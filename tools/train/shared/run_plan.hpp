#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "data/workspace/workspace.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/program.hpp"
#include "tools/train/shared/run_settings.hpp"
#include "train/processes/launch.hpp"
#include "train/reports/run_files.hpp"
#include "train/settings/config.hpp"
#include "train/settings/machine.hpp"

namespace procsim::train {
class Processes;
}

namespace procsim::tools {

// What somebody wants trained, in the words of the command line.
struct RunOptions {
  RunSettings settings;
  std::optional<std::filesystem::path> labels;
  std::optional<std::filesystem::path> root;
  OutputOptions output;
  std::string name;
  std::string resume;  // which run; empty: the newest
  CLI::Option* resume_option = nullptr;
  bool skip_broken = false;
  train::MachineOptions machine;
  std::optional<train::Launch> launch;  // where a launcher started this as one of several processes
  std::int64_t process_timeout = 1800;  // seconds

  bool is_resumed() const { return resume_option->count() > 0; }
};

// A run that is about to start or to go on.
struct RunPlan {
  train::TrainConfig config;
  train::RunFiles files{""};
  std::filesystem::path labels;
  std::filesystem::path root;
  std::optional<std::filesystem::path> workspace_folder;
  RunRecord record;
  bool resume = false;
  bool replaces = false;  // a run that stands there, whose files and row stay until the first checkpoint
  bool skip_broken = false;
  bool writes = true;  // false: another process of the run does
};

// Throws UsageError for words that are wrong whatever the workspace holds.
void check_words(const RunOptions& options);

// The plan that all processes of a run follow: the first makes it, which takes names and places from the
// workspace. Says what it took. Throws Error where something is missing or would be overwritten.
RunPlan common_plan(const RunOptions& options, const GlobalOptions& global, train::Processes& processes);

}  // namespace procsim::tools
