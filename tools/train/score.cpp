#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"
#include "data/files/atomic_file.hpp"
#include "data/files/file_name.hpp"
#include "data/labels/label_set.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/score_record.hpp"
#include "tools/program/validators.hpp"
#include "tools/program/workspace_choice.hpp"
#include "tools/train/commands.hpp"
#include "tools/train/shared/pretrained_choice.hpp"
#include "tools/train/shared/train_options.hpp"
#include "tools/train/shared/train_taxonomy.hpp"
#include "train/inputs/check_machine.hpp"
#include "train/runs/feature_table.hpp"
#include "train/runs/fold_models.hpp"
#include "train/runs/run_scores.hpp"
#include "train/scoring/rankings.hpp"

namespace procsim::tools {
namespace score_command {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct Options {
  RunChoice choice;
  train::MachineOptions machine;
  OutputOptions output;
  std::optional<fs::path> embeddings;
  std::optional<fs::path> taxonomy;
  std::optional<fs::path> save_embeddings;
  std::optional<std::string> split;
  bool no_train = false;
  bool skip_broken = false;
  bool no_taxonomy = false;
  bool compare = false;
  PretrainedChoice pretrained;
  int folds = 5;
  int rounds = 4;
  std::optional<std::int64_t> fold_models;
  std::uint64_t seed = 1;
  std::optional<fs::path> scoring_options;
};

void setup(Options& options) {
  if (options.no_train && options.embeddings)
    throw UsageError("--no-train and --embeddings exclude each other: features come from one place");
  const bool of_run = !options.choice.run.empty();
  if (options.no_train && of_run) throw UsageError("a run brings its own embeddings: leave out --no-train");
  if ((options.no_train || (options.embeddings && !of_run)) && options.fold_models)
    throw UsageError("--fold-models belongs to a run: --no-train and --embeddings train no network");
  if (options.skip_broken && options.embeddings && !of_run)
    throw UsageError("--skip-broken belongs to images: --embeddings brings features of those that were read");
  if (options.split && (of_run || (!options.no_train && !options.embeddings)))
    throw UsageError(
        "a run is scored on what it was trained on: --split goes with --no-train or --embeddings");
  if (options.taxonomy && options.no_taxonomy)
    throw UsageError("--taxonomy and --no-taxonomy exclude each other");
  auto config = pretrained_config(options.pretrained);
  config.fold_models = options.fold_models.value_or(0);
  config.validate();
  if (options.no_train) check_machine(config, options.machine);
}

// What is scored, by what, and where the scores go.
struct Subject {
  train::TrainData data;
  train::FeatureTable features;
  ordered_json source;
  train::StoredMemory memory;
  std::shared_ptr<const train::FoldEmbeddings> fold_models;
  fs::path out;
  std::optional<RunRecord> renewed;  // the run whose scores these are
};

fs::path output_file(const Options& options, const LabelledImages& chosen, std::string_view kind) {
  if (options.output.path) return *options.output.path;
  if (!chosen.home) throw UsageError("outside a workspace --output says where the scores go");
  const auto folder = *chosen.home / "scores";
  fs::create_directories(folder);
  return folder / fmt::format("{}-{}.parquet", chosen.labels.stem().string(), kind);
}

bool is_same_file(const fs::path& one, const fs::path& other) {
  std::error_code missing;
  return fs::equivalent(one, other, missing) || fs::weakly_canonical(one) == fs::weakly_canonical(other);
}

// A label set may be a folder of files.
bool is_part_of(const fs::path& file, const fs::path& input) {
  return is_same_file(file, input) ||
         (fs::is_directory(input) && is_same_file(fs::absolute(file).parent_path(), input));
}

// What the scores are made from, and how it is called.
std::vector<std::pair<std::string, fs::path>> input_files(const Options& options, const GlobalOptions& global,
                                                          const fs::path& labels) {
  std::vector<std::pair<std::string, fs::path>> inputs{{"the file of the labels", labels}};
  if (options.embeddings) inputs.emplace_back("the file that --embeddings reads", *options.embeddings);
  const auto workspace = find_workspace(global);
  const auto record =
      workspace ? workspace->newest_taxonomy(LabelSetReader(labels).info().dataset) : std::nullopt;
  if (record) inputs.emplace_back("the file of the workspace's taxonomy", workspace->resolve(record->path));
  if (options.taxonomy) inputs.emplace_back("the file that --taxonomy reads", *options.taxonomy);
  return inputs;
}

// Refused before anything is computed: files that are there already or cannot be written, and those that
// would replace what is read.
fs::path check_outputs(const Options& options, const GlobalOptions& global, const fs::path& labels,
                       fs::path out) {
  std::vector<std::pair<std::string, fs::path>> outputs{{"--output", out}};
  if (options.save_embeddings) outputs.emplace_back("--save-embeddings", *options.save_embeddings);
  for (const auto& [output, written] : outputs)
    for (const auto& [input, read] : input_files(options, global, labels))
      if (is_part_of(written, read)) throw UsageError(fmt::format("{} is {}", output, input));
  if (options.save_embeddings && is_same_file(*options.save_embeddings, out))
    throw UsageError("--save-embeddings is the file of --output");
  for (const auto& output : outputs) AtomicFile(output.second, options.output.if_exists());
  return out;
}

void say_what_is_judged(const train::TrainData& data, const Options& options, const GlobalOptions& global) {
  if (data.other_splits == 0 && !options.split)
    say(global, fmt::format("{} labels are judged, of every split", data.train.size()));
  else if (data.other_splits > 0)
    say(global,
        fmt::format("{} labels are judged; {} of splits that {} are not", data.train.size(),
                    data.other_splits, options.split ? "--split does not name" : "the features leave out"));
}

Subject from_file(const Options& options, const GlobalOptions& global) {
  const auto chosen = find_labelled_images(global, options.choice.labels, options.choice.root);
  Subject subject;
  subject.out = check_outputs(options, global, chosen.labels,
                              output_file(options, chosen, options.embeddings->stem().string()));
  subject.data = options.split ? train::load_labels_of(chosen.labels, *options.split)
                               : train::load_labels_of(chosen.labels, train::kAllSplits,
                                                       train::FeatureTable::samples_of(*options.embeddings));
  say_what_is_judged(subject.data, options, global);
  if (options.compare) train::check_truth(subject.data);
  subject.features = train::FeatureTable::read(*options.embeddings, subject.data);
  subject.source = {{"from", "file"}, {"sha256", parts_digest(*options.embeddings)}};
  return subject;
}

Subject from_pretrained(const Options& options, const GlobalOptions& global) {
  const auto chosen = find_labelled_images(global, options.choice.labels, options.choice.root);
  if (chosen.root.empty())
    throw UsageError("outside a workspace --no-train needs --root, the images' folder");
  Subject subject;
  subject.out = check_outputs(options, global, chosen.labels, output_file(options, chosen, "no-train"));
  auto machine = options.machine;
  complete_machine(machine, chosen.home);
  subject.data = load_images(chosen.labels, chosen.root, options.skip_broken, machine, global,
                             options.split.value_or(std::string(train::kAllSplits)));
  say_what_is_judged(subject.data, options, global);
  if (options.compare) train::check_truth(subject.data);
  auto config = pretrained_config(with_backbone(options.pretrained, machine, global));
  take_precision(config, machine, global);
  subject.features =
      train::FeatureTable::of_pretrained(config, subject.data, machine, plain_observer(global));
  subject.source = {{"from", "pretrained"},
                    {"backbone", config.backbone},
                    {"image_size", config.image_size},
                    {"precision", config.precision}};
  return subject;
}

// The run's folder holds what training remembered of its labels, and networks that were trained on them.
void check_labels_of_run(const Options& options, const OpenedRun& opened, const train::TrainData& data) {
  if (data.digest == opened.trained_on) return;
  if (!options.output.path)
    throw UsageError(
        "these are not the labels that the run was trained on: say with --output where their scores go");
  if (opened.config.fold_models > 0)
    throw UsageError(
        "these are not the labels that the run was trained on, and neither would the networks of "
        "--fold-models be: give --fold-models 0");
}

Subject from_run(const Options& options, const GlobalOptions& global) {
  auto opened = open_run(global, options.choice);
  say(global, fmt::format("run: {}", opened.checkpoint.string()));
  opened.config.fold_models = options.fold_models.value_or(opened.config.fold_models);
  opened.config.validate();
  auto machine = options.machine;
  complete_machine(machine, opened.workspace_home);
  Subject subject;
  subject.out =
      check_outputs(options, global, opened.labels, options.output.path.value_or(opened.files.scores()));
  // A training that goes on records its scores itself.
  if (opened.record && opened.record->status != "running" && is_same_file(subject.out, opened.files.scores()))
    subject.renewed = opened.record;
  opened.skip_broken = opened.skip_broken || options.skip_broken;
  const bool needs_images = !options.embeddings || opened.config.fold_models > 0;
  subject.data = needs_images ? load_images(opened, machine, global) : train::load_labels(opened.labels);
  check_labels_of_run(options, opened, subject.data);
  if (options.compare) train::check_truth(subject.data);
  subject.features =
      options.embeddings
          ? train::FeatureTable::read(*options.embeddings, subject.data, opened.config.dimension)
          : train::FeatureTable::of_run(opened.config, subject.data, opened.checkpoint, machine,
                                        plain_observer(global));
  subject.memory = train::read_training_memory(subject.data, opened.files.scores());
  subject.source = {{"from", "run"}, {"config", to_json(opened.config)}};
  if (options.embeddings) subject.source["sha256"] = parts_digest(*options.embeddings);
  if (opened.config.fold_models > 0)
    subject.fold_models =
        train::train_fold_models(opened.config, subject.data, opened.files, machine, plain_observer(global));
  if (!subject.memory.sigma.empty()) subject.source["memory"] = "in training";
  return subject;
}

void print_result(const GlobalOptions& global, const Subject& subject, const train::LabelScores& scores,
                  const std::vector<train::RankedDetection>& ranked) {
  const auto& rate = scores.estimates.noise_rate;
  if (global.json) {
    ordered_json json{{"scores", subject.out.string()},
                      {"samples", scores.rows.size()},
                      {"classes", subject.data.classes.size()},
                      {"noise_rate", to_json(rate)}};
    for (const auto& one : ranked)
      json["rankings"].push_back({{"name", one.name},
                                  {"auroc", one.quality.auroc},
                                  {"average_precision", one.quality.average_precision},
                                  {"precision_at_errors", one.quality.precision_at_errors}});
    fmt::print("{}\n", json.dump());
    return;
  }
  print_safely("scores  {}\n", subject.out.string());
  print_safely("wrong   {:.1f} % of {} labels, between {:.1f} and {:.1f} % at 90 %\n", 100 * rate.rate,
               scores.rows.size(), 100 * rate.low, 100 * rate.high);
  if (rate.audit_decides) print_safely("        {}\n", audit_note(rate));
  if (ranked.empty()) return;
  print_safely("\n{:<20} {:>7} {:>18} {:>20}\n", "ranking", "AUROC", "average precision",
               "precision at errors");
  for (const auto& one : ranked)
    print_safely("{:<20} {:>7.4f} {:>18.4f} {:>20.4f}\n", one.name, one.quality.auroc,
                 one.quality.average_precision, one.quality.precision_at_errors);
}

int run(const Options& options, const GlobalOptions& global) {
  const auto tuned =
      options.scoring_options ? read_scoring_options(*options.scoring_options) : ScoringOptions{};
  const bool file_alone = options.embeddings && options.choice.run.empty();
  auto subject = file_alone         ? from_file(options, global)
                 : options.no_train ? from_pretrained(options, global)
                                    : from_run(options, global);
  if (options.save_embeddings)
    subject.features.write(subject.data, *options.save_embeddings, options.output.if_exists());
  if (!options.no_taxonomy) attach_taxonomy(subject.data, global, options.taxonomy);
  train::LabelScoreOptions scoring;
  scoring.cross_fit.scoring = tuned;
  scoring.rounds = options.rounds;
  scoring.cross_fit.folds = options.folds;
  scoring.cross_fit.seed = options.seed;
  scoring.cross_fit.threads = options.machine.threads;
  scoring.cross_fit.progress = progress_bar(global, "scores");
  scoring.fold_models = std::move(subject.fold_models);
  const auto scores = train::score_labels(subject.data, subject.features.rows(), subject.data.taxonomy.get(),
                                          subject.memory.view(), scoring);
  for (const auto& note : scores.notes) say(global, note);
  if (subject.source["from"] == "run" && !scoring.fold_models) say(global, train::kLeaningFeatures);
  std::vector<train::RankedDetection> ranked;
  if (options.compare)
    ranked = train::compare_rankings(
        subject.data,
        train::all_rankings(subject.data, subject.features.rows(), scores, subject.memory.view(), scoring));
  FileChanges files;
  const WrittenScores written{subject.out,
                              train::write_scores(subject.data, scores, subject.source, subject.out,
                                                  options.output.if_exists(), files)};
  auto workspace = find_workspace(global);
  if (subject.renewed) {
    store_scores_of_run(workspace, files, *subject.renewed, written, global);
  } else if (subject.source["from"] != "run") {
    store_scores(workspace, files, subject.data.digest, written, subject.out.stem().string(), "score",
                 global);
  } else {
    files.replace();
    files.keep();
  }
  print_result(global, subject, scores, ranked);
  return 0;
}

}  // namespace
}  // namespace score_command

void add_procsim_train_score(Program& program) {
  using namespace score_command;
  auto options = std::make_shared<Options>();
  auto* command =
      program.add("score", "Which labels are wrong, how surely, and what they should be: cross-fitted scores",
                  "procsim-train score --no-train\n  procsim-train score --embeddings clip.parquet --labels "
                  "labels.parquet "
                  "-o scores.parquet --compare-sigma");
  add_run_options(command, options->choice);
  command->add_flag("--no-train", options->no_train, "Features of a pretrained backbone, without a run");
  command
      ->add_option("--embeddings", options->embeddings,
                   "Features from Parquet: sample_id and a list column; beside --run: that run's "
                   "embeddings, as 'embed' writes them")
      ->type_name("FILE");
  command
      ->add_option(
          "--split", options->split,
          "Labels of this split (default: of every split that has features; a run's: what it was trained on)")
      ->type_name("NAME");
  command->add_flag("--skip-broken", options->skip_broken,
                    "Leave out images that are missing or cannot be decoded; the report lists them");
  add_pretrained_options(command, options->pretrained);
  add_taxonomy_file_option(command, options->taxonomy);
  command->add_flag("--no-taxonomy", options->no_taxonomy, "Take no class tree as evidence");
  command->add_option("--folds", options->folds, "Parts that are judged by the others")
      ->capture_default_str()
      ->check(CLI::Range(2, 50));
  command->add_option("--rounds", options->rounds, "Times that it is done, each with other folds")
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  command
      ->add_option("--fold-models", options->fold_models,
                   "Judge a run's labels also by networks, each trained without a part of them (0: none; "
                   "default: as the run was)")
      ->check(CLI::Range(0, 20));
  command->add_option("--seed", options->seed, "Seed of the folds")->check(seed())->capture_default_str();
  add_output_options(command, options->output, "Scores file (default: the run's, or .procsim/scores/…)");
  command
      ->add_option("--save-embeddings", options->save_embeddings, "Also keep the features, for --embeddings")
      ->type_name("FILE")
      ->check(written_here());
  command->add_flag("--compare-sigma", options->compare,
                    "Where the truth is known: how well σ, losses, margin, neighbours and suspicion rank");
  command
      ->add_option("--scoring-options", options->scoring_options,
                   "Other numbers than the tuned ones (JSON, docs/scoring-method.md), for benchmarks")
      ->type_name("FILE");
  add_machine_options(command, options->machine);
  program.on(command, options, setup, run);
}

}  // namespace procsim::tools
