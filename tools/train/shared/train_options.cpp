#include "tools/train/shared/train_options.hpp"

#include <cstdlib>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "data/base/error.hpp"
#include "data/base/json_nesting.hpp"
#include "data/base/suggest.hpp"
#include "data/files/atomic_file.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/validators.hpp"
#include "tools/program/workspace_choice.hpp"
#include "train/methods/methods.hpp"
#include "train/models/precision.hpp"

namespace procsim::tools {
namespace {

namespace fs = std::filesystem;

CLI::Validator device_name() {
  const auto check = [](std::string& text) -> std::string {
    try {
      train::check_device_name(text);
      return {};
    } catch (const UsageError& error) {
      return error.what();
    }
  };
  return {check, ""};
}

std::optional<RunRecord> find_run(const Workspace& workspace, const std::string& name) {
  if (!name.empty()) return workspace.run(name);
  // The newest that has a model: one that has just begun has none.
  for (const auto& run : workspace.runs())
    if (fs::exists(train::RunFiles(workspace.resolve(run.path)).last())) return run;
  return std::nullopt;
}

std::vector<std::string> run_names(const Workspace& workspace) {
  std::vector<std::string> names;
  for (const auto& run : workspace.runs()) names.push_back(run.name);
  return names;
}

fs::path label_set_path(const Workspace& workspace, const RunRecord& record) {
  for (const auto& set : workspace.label_sets(record.dataset))
    if (set.id == record.label_set) return label_file(workspace, set);
  throw Error(fmt::format("the workspace no longer knows the labels of run {}: give them with --labels",
                          record.name));
}

}  // namespace

void add_machine_options(CLI::App* command, train::MachineOptions& machine) {
  const std::string group = "Machine";
  command->add_option("--device", machine.device, "auto, cpu, cuda or cuda:N")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->check(device_name())
      ->check(offering({"auto", "cpu", "cuda"}))
      ->group(group);
  command->add_option("--workers", machine.workers, "Threads that decode and batch (0: one per core)")
      ->check(CLI::Range(0, 256))
      ->group(group);
  command->add_option("--threads", machine.threads, "Threads of the tensor library (0: its choice)")
      ->check(CLI::Range(0, 1024))
      ->group(group);
  command
      ->add_option("--cache", machine.cache_folder, "Folder of kept activations (default: in the workspace)")
      ->type_name("DIR")
      ->check(written_here())
      ->group(group);
  command
      ->add_option("--models", machine.model_folder, "Folder of pretrained weights (default: PROCSIM_MODELS)")
      ->type_name("DIR")
      ->group(group);
  command->add_flag("--trust-code", machine.trust_code, "Run the code that a TorchScript backbone brings")
      ->group(group);
}

fs::path program_folder() {
  std::error_code failed;
  const auto self = fs::read_symlink("/proc/self/exe", failed);
  return failed ? fs::current_path() : self.parent_path();
}

void complete_machine(train::MachineOptions& machine, const std::optional<fs::path>& workspace_home) {
  if (machine.cache_folder.empty())
    machine.cache_folder =
        workspace_home ? *workspace_home / "cache" : fs::temp_directory_path() / "procsim-cache";
  complete_model_folder(machine);
}

void complete_model_folder(train::MachineOptions& machine) {
  const char* models = std::getenv("PROCSIM_MODELS");
  const std::string_view given = !machine.model_folder.empty() ? "--models" : "PROCSIM_MODELS";
  if (machine.model_folder.empty())
    machine.model_folder = models != nullptr ? fs::path(models) : program_folder().parent_path() / "models";
  std::error_code unknown;
  if (fs::exists(machine.model_folder, unknown) && !fs::is_directory(machine.model_folder, unknown))
    throw UsageError(fmt::format("{} {} is a file: give the folder that holds the weights", given,
                                 machine.model_folder.string()));
}

void take_precision(train::TrainConfig& config, const train::MachineOptions& machine,
                    const GlobalOptions& global) {
  const auto choice = train::choose_precision(config.precision, machine.device);
  config.precision = choice.precision;
  if (!choice.reason.empty()) say(global, fmt::format("precision: {} ({})", choice.precision, choice.reason));
}

void add_run_options(CLI::App* command, RunChoice& choice) {
  command->add_option("--run", choice.run, "Name or folder of a run (default: the newest)")
      ->type_name("NAME");
  command->add_option("--checkpoint", choice.checkpoint, "Which of its models")
      ->check(one_of({"last", "best"}));
  add_labels_option(command, choice.labels, "Label set", "the run's own");
  add_root_option(command, choice.root);
}

OpenedRun open_run(const GlobalOptions& global, const RunChoice& choice) {
  OpenedRun opened;
  const auto workspace = find_workspace(global);
  const bool is_folder = !choice.run.empty() && fs::exists(fs::path(choice.run) / "config.json");
  if (workspace) {
    opened.workspace_home = workspace->home();
    if (const auto record = find_run(*workspace, choice.run); record && !is_folder) {
      opened.record = record;
      opened.files = train::RunFiles(workspace->resolve(record->path));
      if (!fs::exists(opened.files.config()))
        throw Error(fmt::format("run '{}' has no model: {} is not there", record->name,
                                opened.files.config().string()));
      if (!choice.labels) opened.labels = label_set_path(*workspace, *record);
      if (const auto dataset = workspace->dataset(record->dataset)) opened.root = dataset->root;
    } else if (!is_folder) {
      const auto names = run_names(*workspace);
      if (choice.run.empty())
        throw Error(
            "the workspace has no trained run yet. Train one with 'procsim-train'; 'procsim-train score' "
            "needs none with --no-train or --embeddings FILE.");
      if (const auto scores = workspace->scores_named(choice.run))
        throw Error(fmt::format("'{}' has no model: these are scores that '{}' made without a training",
                                choice.run, scores->made_by));
      throw Error(fmt::format("no run '{}' in the workspace{}", choice.run, did_you_mean(choice.run, names)));
    }
  } else if (!is_folder) {
    throw Error(choice.run.empty() ? "no workspace here: name a run's folder with --run"
                                   : fmt::format("{} is not the folder of a run", choice.run));
  }
  if (is_folder) opened.files = train::RunFiles(choice.run);
  if (choice.labels) opened.labels = *choice.labels;
  if (choice.root) opened.root = *choice.root;
  if (opened.labels.empty())
    throw Error("the run lies outside a workspace: give its label set with --labels");
  const auto source = opened.files.config().string();
  const auto json = parse_json<nlohmann::ordered_json>(read_file(opened.files.config()));
  try {
    if (!json.is_object() || json.value("format", "") != train::kRunFormat)
      throw Error(fmt::format("{} is not the configuration of a run (format {})", source, train::kRunFormat));
    opened.config = train::read_config(json.at("train"), source);
    opened.trained_on = json.value("labels", "");
    opened.skip_broken = json.value("skip_broken", false);
  } catch (const nlohmann::json::exception& exception) {
    throw Error(fmt::format("{} is damaged: {}", source, exception.what()));
  }
  opened.checkpoint = choice.checkpoint == "best" ? opened.files.best() : opened.files.last();
  if (!choice.may_lack_checkpoint && !fs::exists(opened.checkpoint))
    throw Error(fmt::format("{} has no checkpoint yet ({})", opened.files.folder.string(),
                            opened.checkpoint.filename().string()));
  return opened;
}

train::TrainData load_images(const fs::path& labels, const fs::path& root, bool skip_broken,
                             const train::MachineOptions& machine, const GlobalOptions& global,
                             const std::optional<std::string>& split) {
  auto data = split ? train::load_labels_of(labels, *split) : train::load_labels(labels);
  data.root = root;
  if (!skip_broken) {
    train::check_images(data);
    return data;
  }
  // Missing images are broken ones, too.
  for (const auto& message : train::drop_broken_images(data, machine.workers))
    say(global, "skipped: " + message);
  return data;
}

train::TrainData load_images(const OpenedRun& run, const train::MachineOptions& machine,
                             const GlobalOptions& global) {
  if (run.root.empty())
    throw Error("the run lies outside a workspace: give the folder of the images with --root");
  return load_images(run.labels, run.root, run.skip_broken, machine, global);
}

RunTask open_run_task(const GlobalOptions& global, const RunChoice& choice,
                      const train::MachineOptions& machine) {
  RunTask task;
  task.run = open_run(global, choice);
  say(global, fmt::format("run: {}", task.run.checkpoint.string()));
  task.machine = machine;
  complete_machine(task.machine, task.run.workspace_home);
  task.data = load_images(task.run, task.machine, global);
  return task;
}

train::TrainObserver plain_observer(const GlobalOptions& global) {
  train::TrainObserver observer;
  observer.note = [global](std::string_view message) { say(global, message); };
  observer.progress = [global](std::string_view what) { return progress_bar(global, std::string(what)); };
  return observer;
}

}  // namespace procsim::tools
