#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/files/table.hpp"
#include "data/labels/label_difference.hpp"
#include "data/labels/label_provenance.hpp"
#include "data/measures/intervals.hpp"
#include "tools/curate/commands.hpp"
#include "tools/curate/shared/subject.hpp"
#include "tools/program/option_groups.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/workspace_choice.hpp"

namespace procsim::tools {

namespace diff_command {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<std::filesystem::path> files;
  std::optional<std::string> dataset;
  std::size_t top = 10;
  bool rows = false;
};

void setup(Options& options) {
  if (options.files.size() == 1) throw UsageError("diff compares two label sets: give both, or none");
}

// The newest label set that apply made, and the one it was made from.
std::pair<std::filesystem::path, std::filesystem::path> pick(const Options& options,
                                                             const GlobalOptions& global) {
  const auto workspace = open_workspace(global);
  const auto after = workspace.newest_label_set(chosen_dataset(workspace, options.dataset), "apply");
  if (!after) throw Error("nothing to compare: give two label sets, or run curate apply first");
  const auto file = label_file(workspace, *after);
  const auto history = label_history(LabelSetReader(file).info().provenance);
  const auto before =
      history.empty() ? std::nullopt : workspace.label_set_by_digest(history.front().parent_digest);
  if (!before)
    throw Error(fmt::format("the label set that {} was made from is not in the workspace; give both files",
                            file.string()));
  const auto parent = label_file(workspace, *before);
  say(global, fmt::format("before: {} ({})", before->summary, parent.string()));
  say(global, fmt::format("after: {} ({})", after->summary, file.string()));
  return {parent, file};
}

const std::string& name_of(const LabelDifference& difference, std::int32_t label) {
  static const std::string no_label = "(no label)";
  return label == kUnlabelled ? no_label : difference.classes[static_cast<std::size_t>(label)];
}

struct KindOfChange {
  std::string before, after;
  std::int64_t count = 0;
};

// Most frequent first, then by name.
std::vector<KindOfChange> kinds_of_change(const LabelDifference& difference) {
  std::vector<KindOfChange> kinds;
  for (const auto& [pair, count] : difference.pairs)
    kinds.push_back({name_of(difference, pair.first), name_of(difference, pair.second), count});
  std::ranges::sort(kinds, [](const auto& a, const auto& b) {
    return std::tie(b.count, a.before, a.after) < std::tie(a.count, b.before, b.after);
  });
  return kinds;
}

Json to_json(const LabelDifference& difference) {
  Json json{{"rows_before", difference.rows_before},
            {"rows_after", difference.rows_after},
            {"same", difference.common - difference.changed},
            {"changed", difference.changed},
            {"left_out", difference.only_before},
            {"added", difference.only_after}};
  if (difference.known_before > 0) {
    const auto precision = difference.precision();
    json["truth"] = {{"noise_before", share(difference.wrong_before, difference.known_before)},
                     {"noise_after", share(difference.wrong_after, difference.known_after)},
                     {"wrong_before", difference.wrong_before},
                     {"wrong_after", difference.wrong_after},
                     {"corrected", difference.corrected},
                     {"spoilt", difference.spoilt},
                     {"still_wrong", difference.still_wrong},
                     {"wrong_left_out", difference.wrong_left_out},
                     {"right_left_out", difference.right_left_out},
                     {"review_precision", precision ? Json(*precision) : Json(nullptr)}};
  }
  auto& changes = json["changes"] = Json::array();
  for (const auto& kind : kinds_of_change(difference))
    changes.push_back({{"before", kind.before}, {"after", kind.after}, {"count", kind.count}});
  return json;
}

void print_rows(const LabelDifference& difference, std::vector<LabelChange> rows) {
  std::ranges::sort(rows, {}, &LabelChange::sample_id);
  fmt::print("sample_id,path,before,after\n");
  for (const auto& row : rows)
    fmt::print("{},{},{},{}\n", row.sample_id, csv_field(row.path),
               csv_field(name_of(difference, row.before)),
               row.after ? csv_field(name_of(difference, *row.after)) : "");
}

int run(const Options& options, const GlobalOptions& global) {
  const auto [before, after] =
      options.files.empty() ? pick(options, global) : std::pair(options.files[0], options.files[1]);
  if (options.rows) {
    std::vector<LabelChange> rows;
    const auto difference =
        compare_label_sets(before, after, [&](const LabelChange& change) { rows.push_back(change); });
    print_rows(difference, std::move(rows));
    return 0;
  }
  const auto difference = compare_label_sets(before, after, {});
  if (global.json) {
    fmt::print("{}\n", to_json(difference).dump(1, ' ', false, Json::error_handler_t::replace));
    return 0;
  }
  print_safely("{} rows before, {} after: {} same, {} with another label, {} left out, {} added\n",
               difference.rows_before, difference.rows_after, difference.common - difference.changed,
               difference.changed, difference.only_before, difference.only_after);
  if (difference.known_before > 0) {
    print_safely("against the truth: {} wrong ({:.2f} %) before, {} ({:.2f} %) after\n",
                 difference.wrong_before, 100 * share(difference.wrong_before, difference.known_before),
                 difference.wrong_after, 100 * share(difference.wrong_after, difference.known_after));
    print_safely("  {} corrected, {} spoilt, {} still wrong; {} wrong and {} right ones left out\n",
                 difference.corrected, difference.spoilt, difference.still_wrong, difference.wrong_left_out,
                 difference.right_left_out);
    if (const auto precision = difference.precision())
      print_safely("  {:.1f} % of the changes hit a wrong label\n", 100 * *precision);
  }
  const auto kinds = kinds_of_change(difference);
  for (std::size_t i = 0; i < std::min(options.top, kinds.size()); ++i)
    print_safely("{:6}  {} → {}\n", kinds[i].count, kinds[i].before, kinds[i].after);
  return 0;
}

}  // namespace
}  // namespace diff_command

void add_curate_diff(Program& program) {
  using namespace diff_command;
  auto options = std::make_shared<Options>();
  auto* command = program.add("diff", "What changed between two label sets, and whether for the better",
                              "curate diff before.parquet after.parquet");
  command
      ->add_option("files", options->files,
                   "Label sets before and after (default: the newest apply and its parent)")
      ->expected(0, 2)
      ->type_name("BEFORE AFTER");
  add_dataset_option(command, options->dataset);
  add_top_option(command, options->top, "How many kinds of change to list");
  command->add_flag("--rows", options->rows, "Every changed row as CSV instead");
  program.on(command, options, setup, run);
}

}  // namespace procsim::tools
