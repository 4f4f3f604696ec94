#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "data/base/error.hpp"
#include "data/base/letters.hpp"
#include "data/files/atomic_file.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/train/commands.hpp"
#include "tools/train/shared/run_display.hpp"
#include "tools/train/shared/run_ledger.hpp"
#include "tools/train/shared/run_plan.hpp"
#include "tools/train/shared/train_options.hpp"
#include "tools/train/shared/train_taxonomy.hpp"
#include "train/processes/process_group.hpp"
#include "train/runs/run_scores.hpp"
#include "train/samples/sampler.hpp"
#include "train/samples/train_data.hpp"

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

void setup(RunOptions& options) {
  options.launch = train::read_launch([](const char* name) { return std::getenv(name); });
  complete_model_folder(options.machine);
  check_words(options);
}

void write_config(const RunPlan& plan, const train::TrainData& data) {
  const ordered_json json{{"format", train::kRunFormat},
                          {"dataset", data.info.dataset},
                          {"labels", data.digest},
                          {"skip_broken", plan.skip_broken},
                          {"train", to_json(plan.config)}};
  write_file(plan.files.config(), json.dump(2) + "\n", IfExists::kReplace);
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
  if (!plan.resume && !options.settings.is_given("batch")) fit_batch(plan.config, data, global);
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
  add_preset_option(&app, options->settings);
  add_labels_option(&app, options->labels, "Label set");
  add_root_option(&app, options->root);
  add_output_options(&app, options->output, "Folder of the run (default: in the workspace)", "DIR");
  app.add_option("--name", options->name, "Name of the run (default: the data set and a number)");
  options->resume_option =
      app.add_option("--resume", options->resume, "Go on with a run (default: the newest)")
          ->expected(0, 1)
          ->type_name("RUN");
  app.add_flag("--skip-broken", options->skip_broken, "Leave out images that cannot be decoded");
  add_field_options(&app, options->settings);
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
