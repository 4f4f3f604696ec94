#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "data/measures/intervals.hpp"
#include "noise/label_statistics.hpp"
#include "tools/noise/commands.hpp"
#include "tools/noise/shared/noise_files.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/workspace_choice.hpp"

namespace procsim::tools {
namespace stats_command {
namespace {

struct Options {
  LabelChoice labels;
  std::optional<std::filesystem::path> taxonomy;
  std::string split = "train";
  bool per_class = false;
  unsigned threads = 0;
};

nlohmann::ordered_json as_json(const noise::ConfusionCounts& counts,
                               const noise::LabelStatistics& statistics) {
  nlohmann::ordered_json json;
  json["dataset"] = counts.info.dataset;
  json["split"] = counts.split;
  json["rows"] = counts.rows;
  json["unlabelled"] = counts.unlabelled;
  json["truth_unknown"] = counts.truth_unknown;
  json["none_of_these"] = counts.none_of_these;
  json["compared"] = statistics.compared;
  json["wrong"] = statistics.wrong;
  json["rate"] = share(statistics.wrong, statistics.compared);
  json["interval"] = {statistics.rate.low, statistics.rate.high};
  json["entropy_bits"] = statistics.entropy;
  json["largest_entropy_bits"] = statistics.largest_entropy;
  if (statistics.tree) {
    auto& tree = json["tree"];
    tree["mean_distance"] = statistics.tree->mean_distance;
    tree["mean_distance_uniform"] = statistics.tree->mean_distance_uniform;
    tree["sibling_errors"] = statistics.tree->sibling_errors;
    auto& distances = tree["errors_by_distance"] = nlohmann::ordered_json::array();
    for (const auto& [distance, errors] : statistics.tree->errors_by_distance)
      distances.push_back({distance, errors});
  }
  auto& classes = json["classes"] = nlohmann::ordered_json::array();
  for (const auto& each : statistics.classes) {
    classes.push_back({{"label", each.label},
                       {"class", counts.info.classes[static_cast<std::size_t>(each.label)].name},
                       {"samples", each.samples},
                       {"wrong", each.wrong},
                       {"rate", share(each.wrong, each.samples)},
                       {"interval", {each.rate.low, each.rate.high}},
                       {"given", each.given},
                       {"entropy_bits", each.entropy}});
  }
  return json;
}

void print_tree(const noise::TreeStatistics& tree, std::int64_t wrong) {
  print_safely("tree distance   {:.2f} edges on average ({:.2f} if errors hit all classes alike)\n",
               tree.mean_distance, tree.mean_distance_uniform);
  print_safely("siblings        {} of {} errors ({:.1f} %) stay below the true class's parent\n",
               grouped(tree.sibling_errors), grouped(wrong), 100 * share(tree.sibling_errors, wrong));
  for (const auto& [distance, errors] : tree.errors_by_distance) {
    print_safely("  {:3} edges     {} ({:.1f} %)\n", distance, grouped(errors), 100 * share(errors, wrong));
  }
}

void print_classes(const noise::ConfusionCounts& counts, const noise::LabelStatistics& statistics) {
  print_safely("{:>5}  {:<32} {:>8} {:>8} {:>7}  {:<16} {:>8} {:>8}\n", "label", "class", "samples", "wrong",
               "rate", "95 % interval", "given", "entropy");
  for (const auto& each : statistics.classes) {
    print_safely("{:>5}  {:<32} {:>8} {:>8} {:>7.4f}  {:.4f}–{:.4f}   {:>8} {:>8.2f}\n", each.label,
                 counts.info.classes[static_cast<std::size_t>(each.label)].name, each.samples, each.wrong,
                 share(each.wrong, each.samples), each.rate.low, each.rate.high, each.given, each.entropy);
  }
}

int run(const Options& options, const GlobalOptions& global) {
  const auto file = choose_labels(global, options.labels);
  const auto counts =
      noise::count_confusions(file, options.split, options.threads, progress_bar(global, "count"));
  const auto taxonomy = find_taxonomy(global, options.taxonomy, counts.info, file);
  const auto statistics = noise::statistics_of(counts, taxonomy ? taxonomy->taxonomy.get() : nullptr);
  if (global.json) {
    fmt::print("{}\n", as_json(counts, statistics).dump(2));
    return 0;
  }
  print_safely("split           {}: {} rows, {} unlabelled, truth unknown for {}{}\n", counts.split,
               grouped(counts.rows), grouped(counts.unlabelled), grouped(counts.truth_unknown),
               counts.none_of_these > 0
                   ? fmt::format(", none of the classes for {}", grouped(counts.none_of_these))
                   : "");
  print_safely("wrong labels    {} of {}: {:.4f}, 95 % interval {:.4f}–{:.4f}\n", grouped(statistics.wrong),
               grouped(statistics.compared), share(statistics.wrong, statistics.compared),
               statistics.rate.low, statistics.rate.high);
  std::int64_t smallest = 0;
  for (const auto& each : statistics.classes) {
    if (each.given > 0 && (smallest == 0 || each.given < smallest)) smallest = each.given;
  }
  print_safely("classes         {}; the smallest label has {} samples\n", statistics.classes.size(),
               grouped(smallest));
  print_safely("entropy         {:.2f} bits of the wrong labels, {:.2f} at most\n", statistics.entropy,
               statistics.largest_entropy);
  if (statistics.tree && statistics.wrong > 0) print_tree(*statistics.tree, statistics.wrong);
  if (options.per_class) print_classes(counts, statistics);
  return 0;
}

}  // namespace
}  // namespace stats_command

void add_noise_stats(Program& program) {
  using namespace stats_command;
  auto options = std::make_shared<Options>();
  auto* command = program.add("stats", "Rates with intervals, entropy, and how far errors lie in the tree",
                              "noise stats\n  noise stats --labels noisy.parquet --per-class");
  add_label_options(command, options->labels, "Label set to count");
  add_taxonomy_file_option(command, options->taxonomy);
  command->add_option("--split", options->split, "Split to count");
  command->add_flag("--per-class", options->per_class, "A line for each class");
  add_threads_option(command, options->threads);
  program.on(command, options, run);
}

}  // namespace procsim::tools
