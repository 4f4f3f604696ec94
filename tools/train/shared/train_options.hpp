#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "data/workspace/workspace.hpp"
#include "tools/program/program.hpp"
#include "train/loop/train_run.hpp"
#include "train/settings/config.hpp"

namespace procsim::tools {

// --device, --workers, …
void add_machine_options(CLI::App* command, train::MachineOptions& machine);
// Folders that depend on where the program and the workspace lie.
void complete_machine(train::MachineOptions& machine,
                      const std::optional<std::filesystem::path>& workspace_home);
// Where our programs lie.
std::filesystem::path program_folder();
// Where models are looked for, of the above. Throws UsageError where that is a file.
void complete_model_folder(train::MachineOptions& machine);

// fp32 or bf16 in place of auto, which is said with its reason.
void take_precision(train::TrainConfig& config, const train::MachineOptions& machine,
                    const GlobalOptions& global);

// Which run a command works on, and with which labels.
struct RunChoice {
  std::string run;                              // name or folder; empty: the newest
  std::string checkpoint = "last";              // last or best
  std::optional<std::filesystem::path> labels;  // else the run's own
  std::optional<std::filesystem::path> root;    // else the data set's
  bool may_lack_checkpoint = false;             // one that was stopped before its first
};
void add_run_options(CLI::App* command, RunChoice& choice);

struct OpenedRun {
  train::RunFiles files{""};
  train::TrainConfig config;
  std::string trained_on;  // digest of the label set
  bool skip_broken = false;
  std::filesystem::path labels;
  std::filesystem::path root;
  std::filesystem::path checkpoint;
  std::optional<std::filesystem::path> workspace_home;
  std::optional<RunRecord> record;
};
// Finds the run in the workspace or as a folder, reads its configuration. Throws Error with the nearest name.
OpenedRun open_run(const GlobalOptions& global, const RunChoice& choice);

// Labels with their images; `skip_broken` leaves out those that cannot be decoded, and says which. A run's
// are what it was trained on. `split`: those that `score` judges. Throws Error where nobody said where they
// are.
train::TrainData load_images(const std::filesystem::path& labels, const std::filesystem::path& root,
                             bool skip_broken, const train::MachineOptions& machine,
                             const GlobalOptions& global, const std::optional<std::string>& split = {});
train::TrainData load_images(const OpenedRun& run, const train::MachineOptions& machine,
                             const GlobalOptions& global);

// What a command needs that runs a trained network over the run's images, opened; says which run it is.
struct RunTask {
  OpenedRun run;
  train::MachineOptions machine;
  train::TrainData data;
};
RunTask open_run_task(const GlobalOptions& global, const RunChoice& choice,
                      const train::MachineOptions& machine);

// Progress bars and notes of long work.
train::TrainObserver plain_observer(const GlobalOptions& global);

}  // namespace procsim::tools
