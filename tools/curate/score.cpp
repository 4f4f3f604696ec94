#include <cmath>

#include <fmt/format.h>

#include "curate/decisions/findings.hpp"
#include "curate/evidence/evaluation.hpp"
#include "data/base/error.hpp"
#include "tools/curate/commands.hpp"
#include "tools/curate/shared/subject.hpp"
#include "tools/program/print_safely.hpp"

namespace procsim::tools {

namespace score_command {
namespace {

struct Options {
  SubjectOptions subject;
  std::optional<std::filesystem::path> truth;
};

std::string shown(const std::optional<double>& value) {
  return value ? fmt::format("{:.4f}", *value) : "undefined";
}

void print_groups(const char* title, const std::vector<curate::GroupQuality>& groups) {
  if (groups.empty()) return;
  print_safely("\n{:<22}{:>8}{:>9}{:>9}{:>18}\n", title, "wrong", "AUROC", "AP", "recall@#errors");
  for (const auto& group : groups)
    print_safely("{:<22}{:>8}{:>9}{:>9}{:>18.4f}\n", group.name, group.wrong, shown(group.auroc),
                 shown(group.average_precision), group.recall);
}

void print(const curate::DetectionQuality& quality) {
  print_safely("{} labels with known truth, {} wrong ({:.2f} %)\n", quality.samples, quality.wrong,
               quality.samples == 0
                   ? 0
                   : 100.0 * static_cast<double>(quality.wrong) / static_cast<double>(quality.samples));
  if (quality.wrong == 0) {
    fmt::print(
        "there is nothing to find: a label set as published counts its own labels as true; give the truth "
        "with --truth FILE\n");
    return;
  }
  print_safely("AUROC {}   average precision {}   precision at #errors {:.4f}\n", shown(quality.auroc),
               shown(quality.average_precision), quality.at_errors.precision);
  print_safely("at probability 0.5: precision {:.4f}, recall {:.4f}, F1 {:.4f}\n", quality.precision,
               quality.recall, quality.f1);
  print_safely("reviewing as many as are wrong ({}) misses {:.1f} % of them\n", quality.wrong,
               100 * quality.missed_at_errors);
  if (quality.suggestion_accuracy)
    print_safely("the suggestion is the true class for {:.1f} % of the wrong labels\n",
                 100 * *quality.suggestion_accuracy);
  print_safely("\n{:>10}{:>12}{:>10}\n", "first k", "precision", "recall");
  for (const auto& at : quality.at) print_safely("{:>10}{:>12.4f}{:>10.4f}\n", at.k, at.precision, at.recall);
  print_safely("\ncalibration: expected error {:.4f}, Brier score {:.4f}\n", quality.calibration_error,
               quality.brier);
  print_safely("{:>12}{:>9}{:>11}{:>10}\n", "probability", "labels", "predicted", "wrong");
  for (const auto& bin : quality.reliability) {
    const auto bar = std::lround(bin.observed * 40), mark = std::lround(bin.predicted * 40);
    std::string line(41, ' ');
    for (auto i = 0L; i < bar; ++i) line[static_cast<std::size_t>(i)] = '=';
    line[static_cast<std::size_t>(mark)] = '|';
    print_safely("  {:.1f} – {:.1f}{:>9}{:>11.3f}{:>10.3f}  {}\n", bin.low, bin.high, bin.count,
                 bin.predicted, bin.observed, line);
  }
  if (quality.none > 0)
    print_safely("\n{} images belong to no class; p_none finds them with AUROC {}, average precision {}\n",
                 quality.none, shown(quality.none_auroc), shown(quality.none_average_precision));
  print_groups("by kinship", quality.by_kinship);
  print_groups("by taxonomy distance", quality.by_distance);
  print_groups("by noise type", quality.by_noise_type);
}

int run(const Options& options, const GlobalOptions& global) {
  const auto subject = open_subject(options.subject, global);
  const auto truth =
      options.truth ? curate::read_truth(*options.truth, subject.scores) : curate::truth_in(subject.scores);
  if (truth.known() == 0)
    throw Error(
        fmt::format("{} knows no true labels; give them with --truth FILE", subject.scores_file.string()));
  const auto decisions = curate::fold_decisions(subject.decisions());
  const auto findings = curate::find_out(subject.scores, decisions, curate::AuditDesign(subject.scores, 0));
  if (findings.any())
    say(global,
        fmt::format("probabilities: as the decisions on {} samples calibrate them", findings.judged_count));
  const auto quality = curate::evaluate(subject.scores, truth, subject.families, findings.probability);
  if (global.json)
    fmt::print("{}\n", to_json(quality).dump(1));
  else
    print(quality);
  return 0;
}

}  // namespace
}  // namespace score_command

void add_curate_score(Program& program) {
  using namespace score_command;
  auto options = std::make_shared<Options>();
  auto* command = program.add("score", "How well the ranking finds wrong labels, where the truth is known",
                              "curate score --truth clean.parquet");
  add_subject_options(command, options->subject);
  command
      ->add_option("--truth", options->truth,
                   "True labels (label set, CSV, Parquet), or a mask of errors: a column wrong, or .npy "
                   "(default: in the scores)")
      ->type_name("FILE");
  program.on(command, options, run);
}

}  // namespace procsim::tools
