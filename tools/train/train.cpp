#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <map>
#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "data/base/error.hpp"
#include "data/base/letters.hpp"
#include "data/files/atomic_file.hpp"
#include "data/labels/label_set.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/validators.hpp"
#include "tools/program/workspace_choice.hpp"
#include "tools/train/commands.hpp"
#include "tools/train/shared/backbone_fit.hpp"
#include "tools/train/shared/run_ledger.hpp"
#include "tools/train/shared/train_options.hpp"
#include "tools/train/shared/train_taxonomy.hpp"
#include "train/inputs/check_machine.hpp"
#include "train/methods/methods.hpp"
#include "train/processes/process_group.hpp"
#include "train/runs/run_scores.hpp"
#include "train/samples/sampler.hpp"
#include "train/samples/train_data.hpp"
#include "train/settings/fine_tuning.hpp"
#include "train/settings/option_text.hpp"

namespace procsim::tools {
namespace train_command {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

// Set by Ctrl-C; the loop finishes its step, saves and returns. A second Ctrl-C ends the program at once.
std::atomic<bool> stop_asked{false};

void ask_to_stop(int signal) {
  stop_asked = true;
  std::signal(signal, SIG_DFL);
}

// A launcher passes on what the terminal has sent to all processes by itself: a second one means nothing.
void ask_launched_to_stop(int) { stop_asked = true; }

struct RunOptions {
  train::TrainConfig given;                       // values of options that were given
  std::map<std::string, CLI::Option*> options;    // field → its option
  std::map<std::string, std::string> components;  // values of options of losses, trusts and methods, as given
  std::optional<std::string> preset;
  std::optional<fs::path> labels;
  std::optional<fs::path> root;
  OutputOptions output;
  std::string name;
  std::string resume;
  CLI::Option* resume_option = nullptr;
  bool skip_broken = false;
  train::MachineOptions machine;
  std::optional<train::Launch> launch;  // where a launcher started this as one of several processes
  std::int64_t process_timeout = 1800;  // seconds
};

// The value of a component's option, of the type that its default has.
ordered_json component_value(const train::OptionInfo& info, const std::string& text) {
  if (info.default_value.is_string()) return text;
  auto value = ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
  const auto& like = info.default_value;
  if (like.is_boolean() && value.is_boolean()) return value;
  if (like.is_number_integer() && value.is_number_integer()) return value;
  if (like.is_number_float() && value.is_number()) return value.get<double>();
  throw UsageError(fmt::format("{} {}: must be {}", train::option_name(info.name), text,
                               like.is_boolean()          ? "true or false"
                               : like.is_number_integer() ? "a whole number"
                                                          : "a number"));
}

bool is_given(const RunOptions& options, const std::string& field) {
  return options.options.at(field)->count() > 0;
}

// Fields of the configuration that were given, options of components left out.
std::vector<std::string> given_fields(const RunOptions& options) {
  const auto given = to_json(options.given);
  std::vector<std::string> fields;
  for (const auto& [field, option] : options.options)
    if (option->count() > 0 && given.contains(field)) fields.push_back(field);
  return fields;
}

// The preset, with what was given on the command line on top.
train::TrainConfig merge(const RunOptions& options, const train::TrainConfig& preset) {
  auto json = to_json(preset);
  const auto given = to_json(options.given);
  const auto fields = given_fields(options);
  for (const auto& field : fields) json[field] = given.at(field);
  std::vector<std::string> of_components;
  for (const auto& info : train::component_options())
    if (options.options.at(info.name)->count() > 0) {
      json[info.name] = component_value(info, options.components.at(info.name));
      of_components.push_back(info.name);
    }
  const auto backbone = is_given(options, "backbone") ? options.given.backbone
                                                      : preset_backbone(preset, options.machine.model_folder);
  if (backbone != preset.backbone)
    fit_to_backbone(
        json, [&](const std::string& field) { return is_given(options, field); }, preset, backbone);
  auto config = train::read_config(json, "the command line");
  if (options.options.at("method")->count() > 0)
    train::use_method(config, options.given.method, fields);
  else
    train::name_method(config);
  train::check_config(config);
  train::check_options(config, of_components);
  return config;
}

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

void check_resumed(const RunOptions& options) {
  for (const auto& [field, option] : options.options)
    if (option->count() > 0 && field != "epochs")
      throw UsageError(
          fmt::format("{} cannot change in a run that is resumed: it goes on with its own settings "
                      "(--epochs may be raised)",
                      train::option_name(field)));
}

// Without --preset the data set chooses it: then words are wrong that fit no preset it could choose.
void check_settings(const RunOptions& options) {
  std::optional<UsageError> wrong;
  for (const auto& preset : options.preset ? std::vector{*options.preset} : train::presets_of_datasets()) {
    try {
      train::check_machine(merge(options, train::preset_config(preset)), options.machine);
      return;
    } catch (const UsageError& error) {
      if (!wrong) wrong = error;
    }
  }
  throw UsageError(*wrong);
}

void setup(RunOptions& options) {
  check_run_name(options.name);
  options.launch = train::read_launch([](const char* name) { return std::getenv(name); });
  complete_model_folder(options.machine);
  if (options.resume_option->count() > 0)
    check_resumed(options);
  else
    check_settings(options);
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
  if (options.options.at("epochs")->count() > 0) {
    if (options.given.epochs < plan.config.epochs)
      throw UsageError(
          fmt::format("--epochs {}: the run was started for {}", options.given.epochs, plan.config.epochs));
    plan.config.epochs = options.given.epochs;
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
  if (options.resume_option->count() > 0) return plan_resumed(options, global, options.resume);
  const auto folder = Workspace::find(global.workspace);
  if (is_begun(before, folder)) return plan_resumed(options, global, before);
  auto plan = folder ? plan_in_workspace(options, global, *folder) : plan_from_files(options);
  const auto preset = options.preset.value_or(train::preset_for_dataset(plan.record.dataset));
  if (!options.preset) say(global, fmt::format("preset: {}", preset));
  plan.config = merge(options, train::preset_config(preset));
  if (!is_given(options, "backbone") && train::takes_best_backbone(preset, plan.config.backbone))
    say(global, fmt::format("backbone: {} (the best whose weights are there)", plan.config.backbone));
  for (const auto& line : train::unread_fields(plan.config, given_fields(options))) say(global, line);
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

RunPlan common_plan(const RunOptions& options, const GlobalOptions& global, train::Processes& processes) {
  const auto words = ordered_json{{"train", to_json(options.given)},
                                  {"components", options.components},
                                  {"preset", options.preset.value_or("")},
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

void write_config(const RunPlan& plan, const train::TrainData& data) {
  const ordered_json json{{"format", train::kRunFormat},
                          {"dataset", data.info.dataset},
                          {"labels", data.digest},
                          {"skip_broken", plan.skip_broken},
                          {"train", to_json(plan.config)}};
  write_file(plan.files.config(), json.dump(2) + "\n", IfExists::kReplace);
}

std::string duration(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::lround(seconds));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

void draw_step(const train::StepReport& step) {
  constexpr int width = 20;
  const int filled = static_cast<int>(width * step.step / std::max<std::int64_t>(1, step.steps));
  std::string means;
  for (const auto& [quantity, mean] : step.means)
    if (!quantity->symbol.empty()) means += fmt::format("  {} {:.3f}", quantity->symbol, mean);
  fmt::print(stderr, "\r\033[Kepoch {}/{} [{:=<{}}{: <{}}] {:.0f} images/s  loss {:.4f}{}  {} left",
             step.epoch, step.epochs, "", filled, "", width - filled, step.images_per_second, step.loss,
             means, duration(step.seconds_left));
}

std::string epoch_line(const train::EpochRecord& record, std::span<const train::Quantity> quantities,
                       const train::TrainConfig& config) {
  std::string line = record.epoch == 0 ? "start    " : fmt::format("epoch {:<3}", record.epoch);
  const auto add = [&](const std::string& metric, std::string_view shown) {
    if (const double* value = record.find(metric)) line += fmt::format("  {} {:.4f}", shown, *value);
  };
  add("loss", "loss");
  for (const auto& quantity : quantities)
    if (!quantity.symbol.empty()) add(quantity.name, quantity.symbol);
  add("detection_auroc", "AUROC");
  if (!config.recall_at.empty()) {
    const auto first = "recall@" + std::to_string(config.recall_at.front());
    add(first, first);
  }
  add("map@r", "mAP@R");
  return line;
}

train::TrainObserver make_observer(const GlobalOptions& global, const train::TrainConfig& config,
                                   RunLedger& ledger) {
  auto observer = plain_observer(global);
  const bool terminal = !global.quiet && ::isatty(STDERR_FILENO) != 0;
  if (terminal) observer.step = draw_step;
  observer.epoch = [&, terminal, global](const train::EpochRecord& record,
                                         std::span<const train::Quantity> quantities) {
    ledger.epoch(record);
    if (terminal) fmt::print(stderr, "\r\033[K");
    say(global, epoch_line(record, quantities, config));
  };
  observer.stop = &stop_asked;
  return observer;
}

void print_result(const GlobalOptions& global, const RunPlan& plan, const train::TrainResult& result) {
  const auto& last = result.records.back();
  const auto& best = *std::find_if(result.records.begin(), result.records.end(),
                                   [&](const auto& record) { return record.epoch == result.best_epoch; });
  if (global.json) {
    ordered_json json{{"run", plan.record.name},
                      {"folder", plan.files.folder.string()},
                      {"scores", plan.files.scores().string()},
                      {"epochs", last.epoch},
                      {"best_epoch", result.best_epoch}};
    for (const auto& [name, value] : last.metrics) json["last"][name] = value;
    for (const auto& [name, value] : best.metrics) json["best"][name] = value;
    fmt::print("{}\n", json.dump());
    return;
  }
  print_safely("run     {}\n", plan.record.name);
  if (!plan.config.recall_at.empty()) {
    const auto metric = "recall@" + std::to_string(plan.config.recall_at.front());
    if (last.find(metric) != nullptr)
      print_safely("{}  {:.4f} last (epoch {}), {:.4f} best (epoch {})\n", metric, *last.find(metric),
                   last.epoch, *best.find(metric), best.epoch);
  }
  print_safely("scores  {}\npage    {}\n", plan.files.scores().string(), plan.files.page().string());
}

// A set of few classes is trained with the batches that they fill, unless somebody asked for others.
void fit_batch(train::TrainConfig& config, const train::TrainData& data, const GlobalOptions& global) {
  const auto classes = static_cast<std::int64_t>(data.classes.size());
  const auto fitting = train::fitting_batch(config.batch, config.per_class, classes);
  if (fitting == config.batch) return;
  say(global, fmt::format("batches: {} samples instead of {}, {} of each of the {} training classes", fitting,
                          config.batch, config.per_class, classes));
  config.batch = fitting;
}

// What can be gone on with stays listed; an attempt that saved nothing does not, nor is its name taken.
void end_failed(const RunPlan& plan, RunLedger& ledger) {
  if (!ledger.has_begun()) return;
  if (fs::exists(plan.files.last())) {
    ledger.finish("failed", {});
    return;
  }
  ledger.forget();
  std::error_code ignored;
  fs::remove(plan.files.config(), ignored);
  fs::remove(plan.files.folder, ignored);  // only where nothing else is in it
}

std::string way_on(const RunPlan& plan, const RunLedger& ledger) {
  const bool of_another_run = plan.writes && !ledger.has_begun();
  if (of_another_run || !fs::exists(plan.files.last())) return "Nothing was saved yet: start again.";
  return fmt::format("Go on with: procsim-train --resume {}",
                     plan.workspace_folder
                         ? plan.record.name
                         : fmt::format("{} --labels {} --root {}", plan.files.folder.string(),
                                       plan.labels.string(), plan.root.string()));
}

// The run takes its folder and its name: at once, or with its first checkpoint where another one stands
// there.
void begin_run(const RunPlan& plan, const train::TrainData& data, RunLedger& ledger,
               train::Processes& processes) {
  std::error_code ignored;
  if (!plan.resume && !plan.replaces) fs::remove(plan.files.last(), ignored);
  write_config(plan, data);
  ledger.begin();
  if (!plan.resume) {
    fs::remove(plan.files.scores(), ignored);
    fs::remove_all(plan.files.folds(), ignored);
  }
  processes.keep(plan.workspace_folder ? plan.record.name : plan.files.folder.string());
}

int run(const RunOptions& options, const GlobalOptions& given) {
  // The end of another process shows as a connection that breaks, which is said; a signal would end this one
  // first.
  if (options.launch) std::signal(SIGPIPE, SIG_IGN);
  const auto processes =
      options.launch ? train::join_processes(*options.launch, std::chrono::seconds(options.process_timeout))
                     : train::one_process();
  auto global = given;
  global.quiet = global.quiet || !processes->first();
  auto plan = common_plan(options, global, *processes);
  auto machine = options.machine;
  machine.processes = processes;
  complete_machine(machine,
                   plan.workspace_folder ? std::optional(*plan.workspace_folder / ".procsim") : std::nullopt);
  plan.skip_broken = plan.skip_broken || options.skip_broken;
  auto data = load_images(plan.labels, plan.root, plan.skip_broken, machine, global);
  attach_taxonomy(data, global);
  if (data.unlabelled > 0)
    say(global, fmt::format("{} samples without a label are left out", data.unlabelled));
  if (!plan.resume && options.options.at("batch")->count() == 0) fit_batch(plan.config, data, global);
  if (plan.writes) fs::create_directories(plan.files.folder);
  RunLedger ledger(plan, data);
  const auto begin = [&] { begin_run(plan, data, ledger, *processes); };
  if (plan.writes && !plan.replaces) begin();
  const bool begins_later = plan.writes && plan.replaces;
  for (const int signal : {SIGINT, SIGTERM})
    std::signal(signal, options.launch ? ask_launched_to_stop : ask_to_stop);
  try {
    const auto observer = make_observer(global, plan.config, ledger);
    const auto result = train::train_run(
        plan.config, data, plan.files, machine, observer,
        {.resume = plan.resume, .saved_first = begins_later ? std::function<void()>(begin) : nullptr});
    const bool scored =
        result.finished && train::write_run_scores(plan.config, data, plan.files, machine, result, observer);
    ledger.finish(scored ? "done" : "interrupted", scored ? plan.files.scores() : fs::path());
    if (!scored) {
      if (plan.writes)
        fmt::print(stderr, "procsim-train: stopped and saved. {}\n", printable(way_on(plan, ledger)));
      return 1;
    }
    if (plan.writes) print_result(global, plan, result);
    return 0;
  } catch (const train::LostProcess& lost) {
    end_failed(plan, ledger);
    throw Error(fmt::format("{}. {}", lost.what(), way_on(plan, ledger)));
  } catch (const std::exception&) {
    end_failed(plan, ledger);
    throw;
  }
}

}  // namespace
}  // namespace train_command

void add_procsim_train(Program& program) {
  using namespace train_command;
  auto options = std::make_shared<RunOptions>();
  auto& app = program.app();
  app.footer("Example:\n  procsim-train --preset cub200-best --epochs 3");
  app.add_option("--preset", options->preset, "Settings to start from (default: the data set's)")
      ->check(one_of(train::preset_names()));
  add_labels_option(&app, options->labels, "Label set");
  add_root_option(&app, options->root);
  add_output_options(&app, options->output, "Folder of the run (default: in the workspace)", "DIR");
  app.add_option("--name", options->name, "Name of the run (default: the data set and a number)");
  options->resume_option =
      app.add_option("--resume", options->resume, "Go on with a run (default: the newest)")
          ->expected(0, 1)
          ->type_name("RUN");
  app.add_flag("--skip-broken", options->skip_broken, "Leave out images that cannot be decoded");
  train::visit_fields(options->given, [&](const char* group, const char* name, auto& field,
                                          const char* help) {
    auto* option =
        app.add_option(train::option_name(name), field, help + train::component_help(name))->group(group);
    using Field = std::remove_reference_t<decltype(field)>;
    if constexpr (!std::is_same_v<Field, std::vector<std::int64_t>>)
      option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);  // a script's defaults, then one's own
    if constexpr (std::is_same_v<Field, std::uint64_t>) option->check(seed());
    if constexpr (std::is_same_v<Field, bool>) option->check(offering({"true", "false"}));
    if constexpr (std::is_same_v<Field, std::string>) {
      if (const auto names = train::component_names(name); !names.empty()) option->check(one_of(names));
      if (const auto words = train::choices_of(name); !words.empty()) option->check(offering(words));
    }
    options->options[name] = option;
  });
  options->options.at("precision")
      ->description("fp32, bf16, or auto: bf16 where the processor computes in it");
  for (const auto& info : train::component_options()) {
    auto* option = app.add_option(train::option_name(info.name), options->components[info.name], info.help)
                       ->default_str(train::option_text(info.default_value))
                       ->group("Method")
                       ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    if (info.default_value.is_boolean()) option->check(offering({"true", "false"}));
    options->options[info.name] = option;
  }
  add_machine_options(&app, options->machine);
  app.add_option("--checkpoint-steps", options->machine.checkpoint_steps,
                 "Save every so many steps too (0: after every epoch)")
      ->check(CLI::NonNegativeNumber)
      ->group("Machine");
  app.add_option("--process-timeout", options->process_timeout,
                 "Seconds that one of several processes waits for another (docs/scaling.md)")
      ->check(CLI::Range(1, 1 << 24))
      ->group("Machine");
  program.on(&app, options, setup, run);
}

}  // namespace procsim::tools
