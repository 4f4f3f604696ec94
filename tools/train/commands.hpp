#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "tools/program/program.hpp"
#include "train/config.hpp"
#include "train/trainer.hpp"

namespace procsim::tools {

void add_procsim_train_run(Program& program);  // the program without a command
void add_procsim_train_eval(Program& program);
void add_procsim_train_embed(Program& program);
void add_procsim_train_runs(Program& program);
void add_procsim_train_export(Program& program);
void add_procsim_train_score(Program& program);
void add_procsim_train_guide(Program& program);

// --device, --workers, …
void add_machine_options(CLI::App* command, const std::shared_ptr<train::MachineOptions>& machine);
// Folders that depend on where the program and the workspace lie.
void complete_machine(train::MachineOptions& machine,
                      const std::optional<std::filesystem::path>& workspace_home);

// Which run a command works on, and with which labels.
struct RunChoice {
  std::string run;                              // name or folder; empty: the newest
  std::string checkpoint = "last";              // last or best
  std::optional<std::filesystem::path> labels;  // else the run's own
  std::optional<std::filesystem::path> root;    // else the data set's
};
void add_run_options(CLI::App* command, const std::shared_ptr<RunChoice>& choice);

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
// are what it was trained on. Throws Error where nobody said where they are.
train::TrainData load_images(const std::filesystem::path& labels, const std::filesystem::path& root,
                             bool skip_broken, const train::MachineOptions& machine,
                             const GlobalOptions& global);
train::TrainData load_images(const OpenedRun& run, const train::MachineOptions& machine,
                             const GlobalOptions& global);

// The class tree as evidence for the scores: `file`, which must have the label set's classes (else Error), or
// the workspace's newest of the data set, where it fits.
void attach_taxonomy(train::TrainData& data, const GlobalOptions& global,
                     const std::optional<std::filesystem::path>& file = std::nullopt);

// Progress bars and notes of long work.
train::TrainObserver plain_observer(const GlobalOptions& global);

}  // namespace procsim::tools
