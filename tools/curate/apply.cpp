#include "curate/decisions/apply.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "curate/decisions/findings.hpp"
#include "data/base/digest.hpp"
#include "data/base/error.hpp"
#include "data/files/file_name.hpp"
#include "data/sets/image_parquet.hpp"
#include "tools/curate/commands.hpp"
#include "tools/curate/shared/label_set_copy.hpp"
#include "tools/curate/shared/reviewed_labels.hpp"
#include "tools/curate/shared/subject.hpp"
#include "tools/program/label_set_record.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/validators.hpp"
#include "tools/program/workspace_choice.hpp"

namespace procsim::tools {

namespace apply_command {
namespace {

struct Options {
  std::optional<std::filesystem::path> labels, scores, taxonomy, huggingface, root;
  std::optional<std::string> dataset;
  OutputOptions output;
  std::size_t min_agreement = 1;
  std::optional<double> auto_above;
  std::string auto_action = "relabel", unresolved = "drop";
};

curate::AutoAction action_of(const std::string& word) {
  return word == "drop"     ? curate::AutoAction::kDrop
         : word == "parent" ? curate::AutoAction::kParent
                            : curate::AutoAction::kRelabel;
}

curate::Unresolved unresolved_of(const std::string& word) {
  return word == "unlabel" ? curate::Unresolved::kUnlabel
         : word == "class" ? curate::Unresolved::kClass
                           : curate::Unresolved::kDrop;
}

// The same inputs and options give the same name, so that doing it again does no harm.
std::string file_name(const std::filesystem::path& labels, const curate::ApplyInput& input,
                      const curate::ApplyOptions& options) {
  const auto what = fmt::format("{} {} {} {} {} {} {}", input.labels_digest, input.decisions_head,
                                input.scores_digest, options.min_agreement, options.auto_above.value_or(-1),
                                to_string(options.auto_action), to_string(options.unresolved));
  auto stem = labels.stem().string();
  if (const auto before = stem.find("-reviewed-"); before != std::string::npos) stem.resize(before);
  return fmt::format("{}-reviewed-{}.parquet", stem, sha256_hex(what).substr(0, 8));
}

std::string summary(const curate::ApplyCounts& counts) {
  return fmt::format("reviewed: {} relabelled, {} left out, {} confirmed{}", counts.changed, counts.left_out,
                     counts.confirmed,
                     counts.automatic > 0 ? fmt::format(", {} automatic", counts.automatic) : "");
}

void setup(Options& options) { check_label_set_ending(options.output); }

void write_images(const Options& options, const std::filesystem::path& labels,
                  const std::optional<Workspace>& workspace, FileChanges& files,
                  const GlobalOptions& global) {
  const auto root = find_root(workspace, options.root, LabelSetReader(labels).info().dataset);
  if (!root) throw Error("--huggingface needs the images, and nobody says where they are. Give --root DIR.");
  const auto rows = write_image_parquet(labels, *root, *options.huggingface, options.output.if_exists(),
                                        files, progress_bar(global, "images"));
  say(global, fmt::format("images: {} with their labels in {}; datasets.load_dataset opens it", rows,
                          options.huggingface->string()));
}

void print(const curate::ApplyResult& result, const std::filesystem::path& out,
           const std::filesystem::path& kept, const GlobalOptions& global) {
  const auto& counts = result.counts;
  if (global.json) {
    auto json = to_json(counts);
    json["file"] = out.string();
    json["label_set"] = kept.string();
    json["digest"] = result.digest;
    fmt::print("{}\n", json.dump(1));
    return;
  }
  print_safely("{}\n", out.string());
  if (kept != out) print_safely("the label set: {}\n", kept.string());
  print_safely("{} of {} rows written: {} with another label, {} left out\n", counts.written, counts.rows,
               counts.changed, counts.left_out);
  print_safely(
      "by reviewers: {} confirmed, {} relabelled, {} moved up, {} not any class, {} ambiguous; {} not "
      "settled\n",
      counts.confirmed, counts.relabelled, counts.moved_up, counts.none, counts.ambiguous, counts.unsettled);
  if (counts.automatic > 0) print_safely("by probability alone: {}\n", counts.automatic);
  if (counts.foreign > 0)
    print_safely("decisions on samples that are not in the label set: {}\n", counts.foreign);
}

int run(const Options& options, const GlobalOptions& global) {
  auto workspace = find_workspace(global);
  const auto labels = pick_reviewed_labels(options.labels, options.dataset, workspace, global);
  const auto records =
      workspace ? curate::decisions_on(*workspace, labels.digest,
                                       curate::applied_from(LabelSetReader(labels.file).info().provenance))
                : std::vector<DecisionRecord>{};
  const auto is_new = [&](const auto& record) { return record.label_set == labels.digest; };
  if (!options.auto_above && std::ranges::none_of(records, is_new))
    throw Error(fmt::format("no decisions on {}: review with curate serve, import them, or use --auto P",
                            labels.file.string()));
  if (workspace)
    if (const auto fault = curate::log_fault(workspace->decisions(""), workspace->decisions_head());
        !fault.empty())
      throw Error(fault);
  const auto decisions = curate::fold_decisions(records);

  curate::ApplyInput input;
  input.labels = labels.file;
  input.labels_digest = labels.digest;
  input.decisions = &decisions;
  if (!records.empty()) input.decisions_head = records.back().hash;
  std::optional<Subject> subject;
  std::vector<double> probabilities;
  curate::ClassFamilies families;
  if (options.auto_above) {
    SubjectOptions wanted;
    wanted.scores = options.scores;
    wanted.taxonomy = options.taxonomy;
    subject.emplace(open_subject(wanted, global));
    if (subject->source.label_set != labels.digest)
      say(global,
          fmt::format("warning: the scores were made from another label set than {}", labels.file.string()));
    input.scores = &subject->scores;
    input.scores_digest = subject->source.scores;
    const curate::AuditDesign design(subject->scores, 0);
    probabilities =
        curate::find_out(subject->scores, curate::fold_decisions(subject->decisions()), design).probability;
    input.probabilities = probabilities;
    input.families = &subject->families;
  } else {
    const auto info = LabelSetReader(labels.file).info();
    families = open_families(options.taxonomy, workspace, info.dataset, info.classes);
    input.families = &families;
  }

  curate::ApplyOptions apply;
  apply.min_agreement = options.min_agreement;
  apply.auto_above = options.auto_above;
  apply.auto_action = action_of(options.auto_action);
  apply.unresolved = unresolved_of(options.unresolved);
  const auto folder = workspace ? workspace->home() / "labels" : labels.file.parent_path();
  // The name says what is in the file: writing it again gives the same bytes.
  const bool alone = !workspace && options.output.path && lower_extension(*options.output.path) == ".parquet";
  const auto kept = alone ? *options.output.path : folder / file_name(labels.file, input, apply);
  const auto out = options.output.path.value_or(kept);
  refuse_existing(options.output);
  FileChanges files;
  const auto result = curate::apply_decisions(input, apply, kept,
                                              alone ? options.output.if_exists() : IfExists::kReplace, files);
  const auto written = files.written(kept);
  if (out != kept) write_copy(written, out, options.output.if_exists(), files);
  if (options.huggingface) write_images(options, written, workspace, files, global);
  LabelSetRecord record;
  record.dataset = LabelSetReader(written).info().dataset;
  record.digest = result.digest;
  record.kind = "apply";
  record.summary = summary(result.counts);
  record.rows = result.counts.written;
  record.changed = result.counts.changed;
  store_label_set(workspace, files, kept, std::move(record), global);
  print(result, out, kept, global);
  return 0;
}

}  // namespace
}  // namespace apply_command

void add_curate_apply(Program& program) {
  using namespace apply_command;
  auto options = std::make_shared<Options>();
  auto* command = program.add("apply", "Fold decisions into a new label set; the old one stays as it is",
                              "curate apply --min-agreement 2 --auto 0.99");
  add_labels_option(command, options->labels, "Label set that was reviewed", kReviewedByDefault);
  add_dataset_option(command, options->dataset);
  command->add_option("--min-agreement", options->min_agreement, "How many reviewers must say the same")
      ->type_name("K")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--auto", options->auto_above,
                   "Change undecided labels too, where the probability is above P")
      ->type_name("P")
      ->check(probability());
  command
      ->add_option("--auto-action", options->auto_action,
                   "relabel, drop, or parent (back off to the common parent)")
      ->check(one_of({"relabel", "drop", "parent"}));
  command
      ->add_option("--unresolved", options->unresolved,
                   "Samples without a class: drop, unlabel, or class (one for each parent node)")
      ->check(one_of({"drop", "unlabel", "class"}));
  command->add_option("--scores", options->scores, "Scores for --auto (default: the newest run's)")
      ->type_name("FILE");
  add_taxonomy_file_option(command, options->taxonomy);
  add_output_options(
      command, options->output,
      "A copy of the label set that the workspace keeps, .parquet, or .csv with the labels as the data "
      "set has them");
  command
      ->add_option("--huggingface", options->huggingface,
                   "Folder for a copy with the images inside, which datasets.load_dataset opens")
      ->type_name("DIR")
      ->check(written_here());
  add_root_option(command, options->root);
  program.on(command, options, setup, run);
}

}  // namespace procsim::tools
