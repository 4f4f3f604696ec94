#include <fmt/format.h>

#include "curate/evidence/evaluation.hpp"
#include "data/base/error.hpp"
#include "tools/curate/commands.hpp"
#include "tools/curate/shared/subject.hpp"
#include "tools/program/print_safely.hpp"

namespace procsim::tools {

namespace compare_command {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::filesystem::path first, second;
  std::optional<std::string> first_column, second_column;
  std::optional<std::filesystem::path> truth;
};

// Truth is about the labels that were scored, so it needs one scores file to be read against.
std::unordered_map<std::int64_t, bool> truth_of(const Options& options) {
  std::unordered_map<std::int64_t, bool> wrong;
  if (!options.truth) return wrong;
  const auto table = curate::read_scores(options.first);
  const auto truth = curate::read_truth(*options.truth, table);
  for (std::uint32_t row = 0; row < table.size(); ++row)
    if (truth.labels[row] != kUnlabelled && table.labels()[row] != kUnlabelled)
      wrong.emplace(table.sample_ids()[row], truth.labels[row] != table.labels()[row]);
  return wrong;
}

Json to_json(const curate::RankingComparison& result) {
  const auto number = [](const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); };
  Json json{{"shared", result.shared}, {"spearman", number(result.spearman)}};
  auto& overlap = json["overlap"] = Json::array();
  for (const auto& point : result.overlap) overlap.push_back({{"k", point.k}, {"share", point.share}});
  json["known"] = result.known;
  json["wrong"] = result.wrong;
  if (result.auroc)
    json["auroc"] = {{"first", result.auroc->first},
                     {"second", result.auroc->second},
                     {"difference", result.auroc->difference},
                     {"low", result.auroc->low},
                     {"high", result.auroc->high},
                     {"p_value", result.auroc->p_value}};
  json["average_precision"] = {{"first", number(result.first_precision)},
                               {"second", number(result.second_precision)}};
  return json;
}

int run(const Options& options, const GlobalOptions& global) {
  const auto first = curate::read_ranking(options.first, options.first_column),
             second = curate::read_ranking(options.second, options.second_column);
  say(global, fmt::format("A: {} ({})", options.first.string(), first.note));
  say(global, fmt::format("B: {} ({})", options.second.string(), second.note));
  const auto result = curate::compare_rankings(first, second, truth_of(options));
  if (result.shared == 0)
    throw Error("the two files have no sample in common: sample_id must mean the same in both");
  if (global.json) {
    fmt::print("{}\n", to_json(result).dump(1));
    return 0;
  }
  print_safely("{} samples in both, Spearman's rank correlation {}\n", result.shared,
               result.spearman ? fmt::format("{:.4f}", *result.spearman) : "undefined");
  for (const auto& point : result.overlap)
    print_safely("  first {:>8}: {:5.1f} % in common\n", point.k, 100 * point.share);
  if (result.known == 0) {
    fmt::print("no truth is known: --truth FILE tells which ranking is better\n");
    return 0;
  }
  print_safely("\n{} labels with known truth, {} wrong\n", result.known, result.wrong);
  if (result.wrong == 0) return 0;
  if (result.auroc)
    print_safely(
        "AUROC              A {:.4f}   B {:.4f}   B − A {:+.4f} (95 % {:+.4f} … {:+.4f}, p = {:.2g})\n",
        result.auroc->first, result.auroc->second, result.auroc->difference, result.auroc->low,
        result.auroc->high, result.auroc->p_value);
  if (result.first_precision)
    print_safely("average precision  A {:.4f}   B {:.4f}\n", *result.first_precision,
                 *result.second_precision);
  print_safely("{:>10}{:>16}{:>16}\n", "first k", "precision A", "precision B");
  for (const auto& [a, b] : result.at)
    print_safely("{:>10}{:>16.4f}{:>16.4f}\n", a.k, a.precision, b.precision);
  return 0;
}

}  // namespace
}  // namespace compare_command

void add_curate_compare(Program& program) {
  using namespace compare_command;
  auto options = std::make_shared<Options>();
  auto* command = program.add("compare", "Two rankings of the same labels: how alike, and which is better",
                              "curate compare scores.parquet cleanlab.csv --truth clean.parquet");
  command->add_option("A", options->first, "Scores file, or CSV or Parquet with sample_id and a score")
      ->required()
      ->type_name("FILE");
  command->add_option("B", options->second, "The same")->required()->type_name("FILE");
  command->add_option("--column-a", options->first_column, "Column of A to rank by, larger = more suspect")
      ->type_name("NAME");
  command->add_option("--column-b", options->second_column, "Column of B to rank by")->type_name("NAME");
  command->add_option("--truth", options->truth, "True labels; A must then be a scores file")
      ->type_name("FILE");
  program.on(command, options, run);
}

}  // namespace procsim::tools
