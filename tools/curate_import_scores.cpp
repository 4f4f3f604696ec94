#include <fmt/format.h>

#include "curate/foreign_scores.hpp"
#include "tools/curate.hpp"
#include "tools/curate_subject.hpp"

namespace procsim {

namespace {

struct Options {
  std::filesystem::path probabilities, labels;
  std::optional<std::filesystem::path> out;
  ForeignScoresOptions scores;
  bool force = false;
};

int run(const Options& options, const GlobalOptions& global) {
  const auto out =
      options.out.value_or(std::filesystem::path(options.probabilities).replace_extension(".scores.parquet"));
  const auto result = make_foreign_scores(options.probabilities, options.labels, out,
                                          options.force ? IfExists::kReplace : IfExists::kFail,
                                          options.scores, progress_bar(global, "probabilities"));
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
                  "curate import-scores pred_probs.npy --labels labels.parquet --split train");
  command
      ->add_option("probabilities", options->probabilities, "Out-of-sample probabilities, samples × classes")
      ->required()
      ->type_name("FILE");
  command->add_option("--labels", options->labels, "Label set that they belong to")
      ->required()
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

}  // namespace procsim
