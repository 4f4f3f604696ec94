#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"
#include "data/base/json_nesting.hpp"
#include "data/base/letters.hpp"
#include "data/base/suggest.hpp"
#include "data/files/atomic_file.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/validators.hpp"
#include "tools/program/workspace_choice.hpp"
#include "tools/train/commands.hpp"
#include "train/methods/methods.hpp"
#include "train/reports/compare_page.hpp"
#include "train/reports/noise_columns.hpp"

namespace procsim::tools {
namespace runs_command {
namespace {

using nlohmann::ordered_json;

struct Options {
  std::vector<std::string> names;
  std::vector<std::string> compared;
  std::string page;  // empty: in the workspace
  CLI::Option* page_option = nullptr;
  std::string metric = "recall@1";
};

struct Row {
  RunRecord run;
  std::string labels;
  std::string noise;  // labels that differ in the seed of their noise alone have the same
  std::string method;
  std::int64_t epochs = 0;
  std::optional<double> start, last, best;
  std::int64_t best_epoch = 0;
  std::optional<double> auroc;
};

std::string method_of(const RunRecord& run) {
  const auto json = parse_json<ordered_json>(run.config);
  if (!json.is_object()) return {};
  try {
    return train::method_name(train::read_config(json, run.name));
  } catch (const Error&) {
    return {};  // of another version
  }
}

Row summarise(const Workspace& workspace, const RunRecord& run, const std::string& metric) {
  Row row;
  row.run = run;
  row.method = method_of(run);
  for (const auto& set : workspace.label_sets(run.dataset))
    if (set.id == run.label_set) {
      row.labels = set.summary.empty() ? set.kind : set.summary;
      row.noise = set.kind == "inject" ? train::noise_without_seed(row.labels)
                                       : fmt::format("{} (label set {})", row.labels, set.id);
    }
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

std::vector<train::MethodMean> compare_methods(const std::vector<Row>& rows) {
  std::vector<train::NoiseResult> results;
  for (const auto& row : rows)
    if (row.last) results.push_back({row.run.dataset, row.method, row.noise, *row.last});
  return train::compare_methods(results);
}

// That of the run's method, with the columns that it is over; null where there are fewer than two.
ordered_json mean_of(const std::vector<train::MethodMean>& means, const Row& row) {
  const std::pair wanted(row.run.dataset, row.method);
  for (const auto& mean : means)
    if (std::pair(mean.dataset, mean.method) == wanted) return {{"value", mean.value}, {"over", mean.noises}};
  return nullptr;
}

std::string shown(const std::optional<double>& value) { return value ? fmt::format("{:.4f}", *value) : "–"; }

// Columns as wide as what stands in them; words to the left, numbers to the right.
void print_table(const std::vector<Row>& rows) {
  constexpr std::size_t kWords = 4;
  std::vector<std::vector<std::string>> lines{
      {"run", "status", "labels", "method", "epochs", "start", "last", "best", "AUROC"}};
  for (const auto& row : rows)
    lines.push_back({row.run.name, row.run.status, row.labels, row.method, std::to_string(row.epochs),
                     shown(row.start), shown(row.last), shown(row.best), shown(row.auroc)});
  for (auto& line : lines)
    for (auto& cell : line) cell = printable(cell);
  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], count_letters(line[i]));
  for (const auto& line : lines) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string space(widths[i] - count_letters(line[i]), ' ');
      if (i > 0) text += "  ";
      text += i < kWords ? line[i] + space : space + line[i];
    }
    print_safely("{}\n", text);
  }
}

void setup(Options& options) {
  if (options.compared.empty()) {
    if (options.page_option->count() > 0) throw UsageError("--html needs --compare and the names of runs");
    return;
  }
  if (!options.names.empty()) throw UsageError("name the runs once, behind --compare");
  options.names = options.compared;
}

train::ComparedRun compared(const Workspace& workspace, const Row& row) {
  train::ComparedRun run{row.run.name, row.method, row.labels, {}, row.run.dataset, row.noise};
  std::map<std::int64_t, train::EpochRecord> epochs;
  for (const auto& metric : workspace.metrics(row.run.id))
    epochs[metric.epoch].metrics.emplace_back(metric.name, metric.value);
  for (auto& [number, epoch] : epochs) {
    epoch.epoch = number;
    run.records.push_back(std::move(epoch));
  }
  return run;
}

// The runs in the order in which they were named.
std::filesystem::path write_comparison(const Workspace& workspace, const std::vector<Row>& rows,
                                       const Options& options) {
  std::vector<train::ComparedRun> runs;
  for (const auto& name : options.compared)
    for (const auto& row : rows)
      if (row.run.name == name) runs.push_back(compared(workspace, row));
  const auto page = options.page.empty() ? workspace.home() / "runs" / "compared.html"
                                         : std::filesystem::path(options.page);
  write_file(page, train::compare_page(runs), IfExists::kReplace);
  return page;
}

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
  if (options.page_option->count() > 0)
    say(global, fmt::format("page: {}", tools::shown(write_comparison(workspace, rows, options))));
  if (global.json) {
    auto list = ordered_json::array();
    const auto number = [](const std::optional<double>& value) {
      return value ? ordered_json(*value) : ordered_json();
    };
    const auto means = compare_methods(rows);
    for (const auto& row : rows)
      list.push_back({{"run", row.run.name},
                      {"dataset", row.run.dataset},
                      {"labels", row.labels},
                      {"noise", row.noise},
                      {"status", row.run.status},
                      {"method", row.method},
                      {"epochs", row.epochs},
                      {"metric", options.metric},
                      {"start", number(row.start)},
                      {"last", number(row.last)},
                      {"best", number(row.best)},
                      {"best_epoch", row.best_epoch},
                      {"harmonic_mean", mean_of(means, row)},
                      {"detection_auroc", number(row.auroc)},
                      {"folder", workspace.resolve(row.run.path).string()}});
    fmt::print("{}\n", list.dump());
    return 0;
  }
  if (rows.empty()) {
    say(global, "no run yet. Train one with 'procsim-train'.");
    return 0;
  }
  print_table(rows);
  print_safely("start, last, best: {}\n", options.metric);
  for (const auto& mean : compare_methods(rows))
    print_safely("harmonic mean of last over {} columns of noise ({}): {} {:.4f}\n", mean.noises.size(),
                 mean.over(), mean.method, mean.value);
  return 0;
}

}  // namespace
}  // namespace runs_command

void add_procsim_train_runs(Program& program) {
  using namespace runs_command;
  auto options = std::make_shared<Options>();
  auto* command = program.add("runs", "List the runs of the workspace and compare them",
                              "procsim-train runs --metric map@r");
  command->add_option("names", options->names, "Only these runs");
  command->add_option("--metric", options->metric, "Metric to compare");
  command->add_option("--compare", options->compared, "Only these runs, beside each other")->type_name("RUN");
  options->page_option =
      command->add_option("--html", options->page, "Draw --compare as a page (default: in the workspace)")
          ->expected(0, 1)
          ->type_name("FILE")
          ->check(written_here());
  program.on(command, options, setup, run);
}

}  // namespace procsim::tools
