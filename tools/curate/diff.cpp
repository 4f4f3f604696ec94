#include <fmt/format.h>

#include "curate/evidence/label_diff.hpp"
#include "data/base/error.hpp"
#include "data/files/table.hpp"
#include "tools/curate/commands.hpp"
#include "tools/curate/shared/subject.hpp"
#include "tools/program/workspace_choice.hpp"

namespace procsim::tools {

namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<std::filesystem::path> files;
  std::size_t list = 10;
  bool rows = false;
};

// The newest label set that apply made, and the one it was made from.
std::pair<std::filesystem::path, std::filesystem::path> pick(const GlobalOptions& global) {
  const auto workspace = open_workspace(global);
  const auto current = workspace.current_dataset();
  const auto after = current ? workspace.newest_label_set(current->name, "apply") : std::nullopt;
  if (!after) throw Error("nothing to compare: give two label sets, or run curate apply first");
  const auto file = label_file(workspace, *after);
  const auto info = LabelSetReader(file).info();
  const auto before = workspace.label_set_by_digest(info.provenance.value("parent_digest", ""));
  if (!before)
    throw Error(fmt::format("the label set that {} was made from is not in the workspace; give both files",
                            file.string()));
  const auto parent = label_file(workspace, *before);
  say(global, fmt::format("before: {} ({})", before->summary, parent.string()));
  say(global, fmt::format("after: {} ({})", after->summary, file.string()));
  return {parent, file};
}

Json to_json(const curate::LabelDiff& diff) {
  Json json{{"rows_before", diff.rows_before}, {"rows_after", diff.rows_after}, {"same", diff.same},
            {"changed", diff.changed},         {"left_out", diff.left_out},     {"added", diff.added}};
  if (diff.known_before > 0) {
    const auto rate = [](std::int64_t wrong, std::int64_t known) {
      return known == 0 ? 0 : static_cast<double>(wrong) / static_cast<double>(known);
    };
    const auto precision = diff.review_precision();
    json["truth"] = {{"noise_before", rate(diff.wrong_before, diff.known_before)},
                     {"noise_after", rate(diff.wrong_after, diff.known_after)},
                     {"wrong_before", diff.wrong_before},
                     {"wrong_after", diff.wrong_after},
                     {"corrected", diff.corrected},
                     {"spoilt", diff.spoilt},
                     {"still_wrong", diff.still_wrong},
                     {"wrong_left_out", diff.wrong_left_out},
                     {"right_left_out", diff.right_left_out},
                     {"review_precision", precision ? Json(*precision) : Json(nullptr)}};
  }
  auto& changes = json["changes"] = Json::array();
  for (const auto& change : diff.changes)
    changes.push_back({{"before", change.before}, {"after", change.after}, {"count", change.count}});
  return json;
}

int run(const Options& options, const GlobalOptions& global) {
  if (options.files.size() == 1) throw UsageError("diff compares two label sets: give both, or none");
  const auto [before, after] =
      options.files.empty() ? pick(global) : std::pair(options.files[0], options.files[1]);
  const auto diff = curate::diff_labels(before, after);
  if (options.rows) {
    fmt::print("sample_id,path,before,after\n");
    for (const auto& row : diff.rows)
      fmt::print("{},{},{},{}\n", row.sample, csv_field(row.path), csv_field(row.before),
                 csv_field(row.after));
    return 0;
  }
  if (global.json) {
    fmt::print("{}\n", to_json(diff).dump(1, ' ', false, Json::error_handler_t::replace));
    return 0;
  }
  fmt::print("{} rows before, {} after: {} same, {} with another label, {} left out, {} added\n",
             diff.rows_before, diff.rows_after, diff.same, diff.changed, diff.left_out, diff.added);
  if (diff.known_before > 0) {
    const auto share = [](std::int64_t wrong, std::int64_t known) {
      return known == 0 ? 0 : 100.0 * static_cast<double>(wrong) / static_cast<double>(known);
    };
    fmt::print("against the truth: {} wrong ({:.2f} %) before, {} ({:.2f} %) after\n", diff.wrong_before,
               share(diff.wrong_before, diff.known_before), diff.wrong_after,
               share(diff.wrong_after, diff.known_after));
    fmt::print("  {} corrected, {} spoilt, {} still wrong; {} wrong and {} right ones left out\n",
               diff.corrected, diff.spoilt, diff.still_wrong, diff.wrong_left_out, diff.right_left_out);
    if (const auto precision = diff.review_precision())
      fmt::print("  {:.1f} % of the changes hit a wrong label\n", 100 * *precision);
  }
  for (std::size_t i = 0; i < std::min(options.list, diff.changes.size()); ++i)
    fmt::print("{:6}  {} → {}\n", diff.changes[i].count, diff.changes[i].before, diff.changes[i].after);
  return 0;
}

}  // namespace

void add_curate_diff(Program& program) {
  auto options = std::make_shared<Options>();
  auto* command = program.add("diff", "What changed between two label sets, and whether for the better",
                              "curate diff before.parquet after.parquet");
  command
      ->add_option("files", options->files,
                   "Label sets before and after (default: the newest apply and its parent)")
      ->expected(0, 2)
      ->type_name("BEFORE AFTER");
  command->add_option("--list", options->list, "How many kinds of change to list")->type_name("N");
  command->add_flag("--rows", options->rows, "Every changed row as CSV instead");
  program.on(command, [options](const GlobalOptions& global) { return run(*options, global); });
}

}  // namespace procsim::tools
