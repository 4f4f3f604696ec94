#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"
#include "data/base/suggest.hpp"
#include "tools/program/workspace_choice.hpp"
#include "tools/train/commands.hpp"

namespace procsim::tools {
namespace {

using nlohmann::ordered_json;

struct Options {
  std::vector<std::string> names;
  std::string metric = "recall@1";
};

struct Row {
  RunRecord run;
  std::string labels;
  std::int64_t epochs = 0;
  std::optional<double> start, last, best;
  std::int64_t best_epoch = 0;
  std::optional<double> auroc;
};

Row summarise(const Workspace& workspace, const RunRecord& run, const std::string& metric) {
  Row row;
  row.run = run;
  for (const auto& set : workspace.label_sets(run.dataset))
    if (set.id == run.label_set) row.labels = set.summary.empty() ? set.kind : set.summary;
  std::map<std::int64_t, double> values;
  for (const auto& item : workspace.metrics(run.id)) {
    row.epochs = std::max(row.epochs, item.epoch);
    if (item.name == metric) values[item.epoch] = item.value;
    if (item.name == "detection_auroc") row.auroc = item.value;
  }
  if (values.empty()) return row;
  row.start = values.contains(0) ? std::optional(values.at(0)) : std::nullopt;
  row.last = values.rbegin()->second;
  const auto best = std::max_element(values.begin(), values.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  row.best = best->second;
  row.best_epoch = best->first;
  return row;
}

std::string method_of(const RunRecord& run) {
  const auto config = nlohmann::json::parse(run.config, nullptr, false);
  if (!config.is_object()) return {};
  const auto confidence = config.value("confidence", "");
  if (confidence == "none") return config.value("loss", "");
  return fmt::format("{}+{}/{}", config.value("loss", ""), confidence, config.value("confidence_scope", ""));
}

std::string shown(const std::optional<double>& value) { return value ? fmt::format("{:.4f}", *value) : "–"; }

int run(const Options& options, const GlobalOptions& global) {
  const auto workspace = open_workspace(global);
  std::vector<RunRecord> runs;
  std::vector<std::string> known;
  for (const auto& record : workspace.runs()) {
    known.push_back(record.name);
    if (options.names.empty() ||
        std::find(options.names.begin(), options.names.end(), record.name) != options.names.end())
      runs.push_back(record);
  }
  for (const auto& name : options.names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error(fmt::format("no run '{}' in the workspace{}", name, did_you_mean(name, known)));
  std::vector<Row> rows;
  for (const auto& record : runs) rows.push_back(summarise(workspace, record, options.metric));
  if (global.json) {
    auto list = ordered_json::array();
    const auto number = [](const std::optional<double>& value) {
      return value ? ordered_json(*value) : ordered_json();
    };
    for (const auto& row : rows)
      list.push_back({{"run", row.run.name},
                      {"dataset", row.run.dataset},
                      {"labels", row.labels},
                      {"status", row.run.status},
                      {"method", method_of(row.run)},
                      {"epochs", row.epochs},
                      {"metric", options.metric},
                      {"start", number(row.start)},
                      {"last", number(row.last)},
                      {"best", number(row.best)},
                      {"best_epoch", row.best_epoch},
                      {"detection_auroc", number(row.auroc)},
                      {"folder", workspace.resolve(row.run.path).string()}});
    fmt::print("{}\n", list.dump());
    return 0;
  }
  if (rows.empty()) {
    say(global, "no run yet. Train one with 'procsim-train'.");
    return 0;
  }
  fmt::print("{:<18} {:<12} {:<26} {:<22} {:>6} {:>8} {:>8} {:>8} {:>8}\n", "run", "status", "labels",
             "method", "epochs", "start", "last", "best", "AUROC");
  for (const auto& row : rows)
    fmt::print("{:<18} {:<12} {:<26} {:<22} {:>6} {:>8} {:>8} {:>8} {:>8}\n", row.run.name, row.run.status,
               row.labels, method_of(row.run), row.epochs, shown(row.start), shown(row.last), shown(row.best),
               shown(row.auroc));
  fmt::print("start, last, best: {}\n", options.metric);
  return 0;
}

}  // namespace

void add_procsim_train_runs(Program& program) {
  auto options = std::make_shared<Options>();
  auto* command = program.add("runs", "List the runs of the workspace and compare them",
                              "procsim-train runs --metric map@r");
  command->add_option("names", options->names, "Only these runs");
  command->add_option("--metric", options->metric, "Metric to compare");
  program.on(command, options, run);
}

}  // namespace procsim::tools
