#include <fmt/format.h>

#include "curate/evidence/foreign_scores.hpp"
#include "data/base/error.hpp"
#include "data/files/file_name.hpp"
#include "data/files/table.hpp"
#include "data/labels/label_set.hpp"
#include "tools/curate/commands.hpp"
#include "tools/curate/shared/subject.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/score_record.hpp"
#include "tools/program/workspace_choice.hpp"

namespace procsim::tools {

namespace import_scores_command {
namespace {

struct Options {
  std::filesystem::path probabilities;
  LabelChoice labels;
  OutputOptions output;
  curate::ForeignScoresOptions scores;
};

std::filesystem::path pick_labels(const Options& options, const GlobalOptions& global) {
  auto labels = choose_labels(global, options.labels);
  if (!std::filesystem::is_directory(labels) && !is_parquet(labels))
    throw Error(fmt::format("{0} is not a label set. Make one from a table of labels with 'taxo build {0}'.",
                            labels.string()));
  return labels;
}

int run(const Options& options, const GlobalOptions& global) {
  auto workspace = find_workspace(global);
  const auto labels = pick_labels(options, global);
  const auto out = options.output.path.value_or(
      std::filesystem::path(options.probabilities).replace_extension(".scores.parquet"));
  FileChanges files;
  const auto result =
      curate::make_foreign_scores(options.probabilities, labels, out, options.output.if_exists(),
                                  options.scores, files, progress_bar(global, "probabilities"));
  store_scores(workspace, files, parts_digest(labels), {out, result.digest}, out.stem().stem().string(),
               "import-scores", global);
  if (global.json) {
    fmt::print("{}\n", nlohmann::ordered_json{{"file", out.string()},
                                              {"rows", result.rows},
                                              {"noise_rate", to_json(result.noise_rate)},
                                              {"digest", result.digest}}
                           .dump(1));
  } else {
    print_safely(
        "{}\n{} samples scored; about {:.1f} % of the labels are wrong, between {:.1f} and {:.1f} %\n",
        out.string(), result.rows, 100 * result.noise_rate.rate, 100 * result.noise_rate.low,
        100 * result.noise_rate.high);
    if (result.noise_rate.audit_decides) print_safely("{}\n", audit_note(result.noise_rate));
  }
  return 0;
}

}  // namespace
}  // namespace import_scores_command

void add_curate_import_scores(Program& program) {
  using namespace import_scores_command;
  auto options = std::make_shared<Options>();
  auto* command =
      program.add("import-scores", "Scores from predicted probabilities made elsewhere (NumPy, CSV, Parquet)",
                  "curate import-scores pred_probs.npy --split train");
  command
      ->add_option("probabilities", options->probabilities, "Out-of-sample probabilities, samples × classes")
      ->required()
      ->type_name("FILE");
  add_label_options(command, options->labels, "Label set that they belong to");
  command->add_option("--split", options->scores.split, "Only the label set's rows of this split")
      ->type_name("NAME");
  command->add_option("--rivals", options->scores.rivals, "How many rival classes to keep a sample")
      ->check(CLI::PositiveNumber);
  add_output_options(command, options->output, "Scores file to write (default: beside the probabilities)");
  program.on(command, options, run);
}

}  // namespace procsim::tools
