#include "tools/train/shared/run_plan.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"
#include "data/labels/label_set.hpp"
#include "tools/program/workspace_choice.hpp"
#include "tools/train/shared/train_options.hpp"
#include "train/methods/methods.hpp"
#include "train/processes/processes.hpp"
#include "train/settings/fine_tuning.hpp"

namespace procsim::tools {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

std::string free_name(const Workspace& workspace, const std::string& stem) {
  for (int number = 1;; ++number) {
    auto name = fmt::format("{}-{}", stem, number);
    if (!workspace.run(name) && !fs::exists(workspace.home() / "runs" / name)) return name;
  }
}

void check_run_name(const std::string& name) {
  const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '-' || letter == '_' || letter == '.';
  });
  if (!plain || name.starts_with('.'))
    throw UsageError(fmt::format("--name {}: use letters, digits, '-', '_' and '.' only", name));
}

// The one that the given labels are of, where the workspace has it; else the current one.
DatasetRecord dataset_of(const Workspace& workspace, const std::optional<fs::path>& labels) {
  auto current = require_dataset(workspace);
  if (!labels || !fs::exists(*labels)) return current;
  return workspace.dataset(LabelSetReader(*labels).info().dataset).value_or(std::move(current));
}

RunPlan plan_in_workspace(const RunOptions& options, const GlobalOptions& global, const fs::path& folder) {
  RunPlan plan;
  const auto workspace = Workspace::open(folder);
  plan.workspace_folder = folder;
  const auto dataset = dataset_of(workspace, options.labels);
  plan.record.dataset = dataset.name;
  plan.root = options.root.value_or(dataset.root);
  if (options.labels) {
    plan.labels = *options.labels;
  } else {
    const auto set = require_labels(global, workspace, dataset.name);
    plan.labels = label_file(workspace, set);
    plan.record.label_set = set.id;
  }
  if (options.output.path) {
    plan.files = train::RunFiles(*options.output.path);
    plan.record.name = options.name.empty() ? options.output.path->filename().string() : options.name;
  } else {
    plan.record.name = options.name.empty() ? free_name(workspace, dataset.name) : options.name;
    check_run_name(plan.record.name);  // a data set may have a name that is none for a folder
    plan.files = train::RunFiles(workspace.home() / "runs" / plan.record.name);
  }
  return plan;
}

RunPlan plan_from_files(const RunOptions& options) {
  if (!options.labels)
    throw Error(
        "no workspace in this folder or above it. Make one with 'taxo build <data set>', or give --labels, "
        "--root and --output.");
  if (!options.root || !options.output.path)
    throw UsageError("outside a workspace --labels needs --root and --output too");
  RunPlan plan;
  plan.labels = *options.labels;
  plan.root = *options.root;
  plan.files = train::RunFiles(*options.output.path);
  plan.record.name = options.output.path->filename().string();
  return plan;
}

RunPlan plan_resumed(const RunOptions& options, const GlobalOptions& global, const std::string& run) {
  RunChoice choice;
  choice.run = run;
  choice.labels = options.labels;
  choice.root = options.root;
  choice.may_lack_checkpoint = true;
  const auto opened = open_run(global, choice);
  if (opened.record && opened.record->status == "running")
    throw Error(fmt::format("run '{}' is being trained by another process. Wait for it, or stop it first.",
                            opened.record->name));
  RunPlan plan;
  plan.resume = fs::exists(opened.checkpoint);
  if (!plan.resume) say(global, "it was stopped before its first checkpoint: it starts from the beginning");
  plan.config = opened.config;
  plan.skip_broken = opened.skip_broken;
  plan.files = opened.files;
  plan.labels = opened.labels;
  plan.root = opened.root;
  if (opened.record) plan.record = *opened.record;
  if (opened.workspace_home) plan.workspace_folder = opened.workspace_home->parent_path();
  if (plan.record.name.empty()) plan.record.name = opened.files.folder.filename().string();
  if (options.settings.is_given("epochs")) {
    if (options.settings.given.epochs < plan.config.epochs)
      throw UsageError(fmt::format("--epochs {}: the run was started for {}", options.settings.given.epochs,
                                   plan.config.epochs));
    plan.config.epochs = options.settings.given.epochs;
  }
  say(global, fmt::format("resuming {} ({})", plan.record.name, plan.files.folder.string()));
  return plan;
}

// Whether an earlier attempt of the same launch left a run that can be gone on with.
bool is_begun(const std::string& run, const std::optional<fs::path>& workspace) {
  if (run.empty()) return false;
  return (workspace && Workspace::open(*workspace).run(run)) || fs::exists(train::RunFiles(run).config());
}

// `before`: the run of an earlier attempt of the same launch, empty for none.
RunPlan make_plan(const RunOptions& options, const GlobalOptions& global, const std::string& before) {
  if (options.is_resumed()) return plan_resumed(options, global, options.resume);
  const auto folder = Workspace::find(global.workspace);
  if (is_begun(before, folder)) return plan_resumed(options, global, before);
  auto plan = folder ? plan_in_workspace(options, global, *folder) : plan_from_files(options);
  const auto preset = options.settings.preset.value_or(train::preset_for_dataset(plan.record.dataset));
  if (!options.settings.preset) say(global, fmt::format("preset: {}", preset));
  plan.config = merge(options.settings, train::preset_config(preset), options.machine);
  if (!options.settings.is_given("backbone") && train::takes_best_backbone(preset, plan.config.backbone))
    say(global, fmt::format("backbone: {} (the best whose weights are there)", plan.config.backbone));
  for (const auto& line : train::unread_fields(plan.config, options.settings.given_fields()))
    say(global, line);
  take_precision(plan.config, options.machine, global);
  const bool taken = folder && Workspace::open(*folder).run(plan.record.name).has_value();
  plan.replaces = taken || fs::exists(plan.files.config());
  if (plan.replaces && !options.output.force)
    throw Error(fmt::format(
        "{} already holds a run. Use --force to replace it, --resume to go on, or another --name.",
        plan.files.folder.string()));
  return plan;
}

// The first process makes the plan, which takes names and places from the workspace; the others follow it.
std::string plan_text(const RunPlan& plan) {
  const auto whole = [](const fs::path& path) { return path.empty() ? "" : fs::absolute(path).string(); };
  ordered_json json{{"config", to_json(plan.config)}, {"folder", whole(plan.files.folder)},
                    {"labels", whole(plan.labels)},   {"root", whole(plan.root)},
                    {"name", plan.record.name},       {"resume", plan.resume},
                    {"skip_broken", plan.skip_broken}};
  if (plan.workspace_folder) json["workspace"] = whole(*plan.workspace_folder);
  return json.dump();
}

RunPlan followed_plan(const std::string& text) {
  const auto json = ordered_json::parse(text);
  RunPlan plan;
  plan.config = train::read_config(json.at("config"), "the first process");
  plan.files = train::RunFiles(json.at("folder").get<std::string>());
  plan.labels = json.at("labels").get<std::string>();
  plan.root = json.at("root").get<std::string>();
  plan.record.name = json.at("name").get<std::string>();
  plan.resume = json.at("resume").get<bool>();
  plan.skip_broken = json.at("skip_broken").get<bool>();
  if (json.contains("workspace")) plan.workspace_folder = json["workspace"].get<std::string>();
  plan.writes = false;
  return plan;
}

}  // namespace

void check_words(const RunOptions& options) {
  check_run_name(options.name);
  if (options.is_resumed())
    check_resumed(options.settings);
  else
    check_settings(options.settings, options.machine);
}

RunPlan common_plan(const RunOptions& options, const GlobalOptions& global, train::Processes& processes) {
  const auto words = ordered_json{{"train", to_json(options.settings.given)},
                                  {"components", options.settings.components},
                                  {"preset", options.settings.preset.value_or("")},
                                  {"labels", options.labels.value_or("").string()},
                                  {"root", options.root.value_or("").string()},
                                  {"output", options.output.path.value_or("").string()},
                                  {"name", options.name},
                                  {"resume", options.resume}};
  require_same(processes, words.dump(), "the settings");
  RunPlan plan;
  const auto text = made_by_first(processes, [&] {
    const bool again = options.launch && options.launch->attempt > 0;
    plan = make_plan(options, global, again ? processes.kept() : "");
    if (plan.workspace_folder) Workspace::open(*plan.workspace_folder).require_writable();
    return plan_text(plan);
  });
  return processes.first() ? plan : followed_plan(text);
}

}  // namespace procsim::tools
