#include <fmt/format.h>

#include "curate/evidence/foreign_scores.hpp"
#include "data/base/error.hpp"
#include "data/files/table.hpp"
#include "data/labels/label_set.hpp"
#include "tools/curate/commands.hpp"
#include "tools/curate/shared/subject.hpp"
#include "tools/program/score_record.hpp"
#include "tools/program/workspace_choice.hpp"

namespace procsim::tools {

namespace {

struct Options {
  std::filesystem::path probabilities;
  std::optional<std::filesystem::path> labels, out;
  curate::ForeignScoresOptions scores;
  bool force = false;
};

std::filesystem::path pick_labels(const Options& options, const std::optional<Workspace>& workspace,
                                  const GlobalOptions& global) {
  if (options.labels) {
    if (!std::filesystem::is_directory(*options.labels) && !is_parquet(*options.labels))
      throw Error(fmt::format("{} is not a label set. Make one from a table of labels with 'taxo build {}'.",
                              options.labels->string(), options.labels->string()));
    return *options.labels;
  }
  if (!workspace)
    throw Error("no label set: give a file with --labels, or make one from a table with 'taxo build FILE'");
  const auto dataset = require_dataset(*workspace, "--labels FILE");
  return label_file(*workspace, require_labels(global, *workspace, dataset.name));
}

int run(const Options& options, const GlobalOptions& global) {
  auto workspace = find_workspace(global);
  const auto labels = pick_labels(options, workspace, global);
  const auto out =
      options.out.value_or(std::filesystem::path(options.probabilities).replace_extension(".scores.parquet"));
  const auto result = curate::make_foreign_scores(options.probabilities, labels, out,
                                                  options.force ? IfExists::kReplace : IfExists::kFail,
                                                  options.scores, progress_bar(global, "probabilities"));
  remember_scores(workspace, label_set_digest(labels), out, out.stem().stem().string(), "import-scores",
                  global);
  if (global.json)
    fmt::print("{}\n", nlohmann::ordered_json{{"file", out.string()},
                                              {"rows", result.rows},
                                              {"noise_rate", result.noise_rate},
                                              {"digest", result.digest}}
                           .dump(1));
  else
    fmt::print("{}\n{} samples scored; about {:.1f} % of the labels are wrong\n", out.string(), result.rows,
               100 * result.noise_rate);
  return 0;
}

}  // namespace

void add_curate_import_scores(Program& program) {
  auto options = std::make_shared<Options>();
  auto* command =
      program.add("import-scores", "Scores from predicted probabilities made elsewhere (NumPy, CSV, Parquet)",
                  "curate import-scores pred_probs.npy --split train");
  command
      ->add_option("probabilities", options->probabilities, "Out-of-sample probabilities, samples × classes")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--labels", options->labels,
                   "Label set that they belong to (default: the workspace's newest)")
      ->type_name("FILE");
  command->add_option("--split", options->scores.split, "Only the label set's rows of this split")
      ->type_name("NAME");
  command->add_option("--rivals", options->scores.rivals, "How many rival classes to keep a sample")
      ->check(CLI::PositiveNumber);
  command->add_option("--out", options->out, "Scores file to write (default: beside the probabilities)")
      ->type_name("FILE");
  command->add_flag("--force", options->force, "Replace --out when it is there");
  program.on(command, [options](const GlobalOptions& global) { return run(*options, global); });
}

}  // namespace procsim::tools
