#include "tools/train/shared/table_cells.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "data/base/digest.hpp"
#include "data/base/error.hpp"
#include "data/base/json_nesting.hpp"
#include "data/base/suggest.hpp"
#include "data/measures/harmonic_mean.hpp"
#include "tools/train/shared/backbone_fit.hpp"
#include "train/methods/methods.hpp"
#include "train/samples/sampler.hpp"
#include "train/settings/option_text.hpp"

namespace procsim::tools {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kKeyLetters = 12;
constexpr const char* kOurs = "Ours";  // the group of rows that keep the …-best preset's method

std::string paper_preset(const std::string& dataset) {
  const auto& names = train::preset_names();
  return std::find(names.begin(), names.end(), dataset) != names.end() ? dataset : "default";
}

// What the paper says of a method: confidence, proxies, the guidance's weight. Which networks read the images
// for the guidance is a matter of the machine, whether a method has it one of its row: rivals have none.
void take_method_of(ordered_json& json, const train::TrainConfig& paper) {
  train::visit_fields(paper, [&](std::string_view group, std::string_view name, const auto& field, auto) {
    if (group == "Method" || group == "Proxies" || name == "omega") json[std::string(name)] = field;
  });
  json["guidance"] = "off";
}

// A row of the table; of a method that it lacks the row of another table, without that one's numbers.
train::PaperRow row_named(const std::string& name, const train::PaperTable& table) {
  const auto find = [&](const train::PaperTable& in) -> std::optional<train::PaperRow> {
    for (const auto& row : in.rows)
      if (row.row == name) return row;
    return std::nullopt;
  };
  if (auto row = find(table)) return *row;
  for (const auto& other : train::paper_table_names())
    if (const auto row = find(train::paper_table(other)))
      return {.row = name,
              .name = row->name,
              .group = "Others",
              .method = row->method,
              .settings = row->settings};
  return {.row = name, .name = name, .group = "Others", .method = name};
}

ordered_json typed(const std::string& field, const std::string& text, const ordered_json& like) {
  if (like.is_string()) return text;
  auto value = parse_json<ordered_json>(text);
  if (value.is_discarded() || value.is_number() != like.is_number() ||
      value.is_boolean() != like.is_boolean())
    throw UsageError(
        fmt::format("--set {}={}: not a value that {} can have", field, text, train::option_name(field)));
  return value;
}

void set_fields(ordered_json& json, const std::map<std::string, std::string>& fields) {
  for (const auto& [field, text] : fields) {
    std::vector<std::string> known;
    for (const auto& [name, value] : json.items()) known.push_back(name);
    if (!json.contains(field))
      throw UsageError(fmt::format("--set {}: no such setting{}", field, did_you_mean(field, known)));
    json[field] = typed(field, text, json.at(field));
  }
}

std::string key_of(const ordered_json& config, const std::string& labels) {
  return sha256_hex(config.dump() + "\n" + labels).substr(0, kKeyLetters);
}

std::string percent_of(const std::string& noise) {
  const auto space = noise.find(' ');
  if (space == std::string::npos) return noise;
  return fmt::format("{} {:.0f} %", noise.substr(0, space), 100 * std::stod(noise.substr(space + 1)));
}

std::optional<double> last_metric(const std::vector<MetricRecord>& metrics, const std::string& name) {
  std::optional<MetricRecord> last;
  for (const auto& metric : metrics)
    if (metric.name == name && (!last || metric.epoch > last->epoch)) last = metric;
  return last ? std::optional(last->value) : std::nullopt;
}

}  // namespace

std::string TableCell::key() const { return key_of(to_json(config), labels.digest); }

std::string TableCell::name() const { return "cell-" + key(); }

std::vector<train::PaperRow> chosen_rows(const train::PaperTable& table,
                                         const std::vector<std::string>& methods) {
  if (methods.empty()) return table.rows;
  std::vector<std::string> known;
  for (const auto& row : table.rows) known.push_back(row.row);
  for (const auto& name : train::component_names("method"))
    if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
  std::vector<train::PaperRow> rows;
  for (const auto& name : methods) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw UsageError(fmt::format("--methods {}: neither a row of {} nor a method{}", name, table.name,
                                   did_you_mean(name, known)));
    rows.push_back(row_named(name, table));
  }
  return rows;
}

train::TrainConfig row_config(const train::PaperTable& table, const train::PaperRow& row,
                              const TableSettings& settings) {
  const auto preset = train::preset_config(settings.preset);
  auto json = to_json(train::read_config(to_json(preset), "the preset"));
  if (row.group != kOurs) take_method_of(json, train::preset_config(paper_preset(settings.dataset)));
  auto backbone = settings.backbone.empty() ? table.backbone : settings.backbone;
  if (backbone.empty()) backbone = preset_backbone(preset, settings.models);
  if (backbone != preset.backbone)
    fit_to_backbone(json, [](const std::string&) { return false; }, preset, backbone);
  if (settings.epochs) json["epochs"] = *settings.epochs;
  const auto& metrics = table.metrics_of(settings.dataset);
  json["eval_every"] = std::max<std::int64_t>(1, json.at("epochs").get<std::int64_t>());
  json["nmi"] = std::find(metrics.begin(), metrics.end(), "nmi") != metrics.end();
  auto config = train::read_config(json, table.name);
  train::use_method(config, row.method, {});
  json = to_json(config);
  json.update(row.settings);
  set_fields(json, settings.fields);
  if (const auto own = settings.row_fields.find(row.row); own != settings.row_fields.end())
    set_fields(json, own->second);
  config = train::read_config(json, row.row);
  train::name_method(config);
  config.batch = train::fitting_batch(config.batch, config.per_class, settings.classes);
  train::check_config(config);
  return config;
}

std::vector<std::string> words_of(const train::TrainConfig& config) {
  std::vector<std::string> words{"--preset", config.preset};
  auto said = train::read_config(to_json(train::preset_config(config.preset)), "the preset");
  const auto named = train::component_names("method");
  if (std::find(named.begin(), named.end(), config.method) != named.end()) {
    words.insert(words.end(), {"--method", config.method});
    train::use_method(said, config.method, {});
  }
  const auto so_far = to_json(said);
  const std::vector<std::string> always{"backbone", "train_from", "image_size", "centre_crop", "batch"};
  const auto wanted = to_json(config);
  for (const auto& [field, value] : wanted.items()) {
    const bool must = std::find(always.begin(), always.end(), field) != always.end();
    if (field == "preset" || field == "method" || (!must && value == so_far.at(field))) continue;
    if (value.is_string() && value.get<std::string>().empty()) continue;
    words.push_back(train::option_name(field));
    if (value.is_array())
      for (const auto& one : value) words.push_back(one.dump());
    else
      words.push_back(train::option_text(value));
  }
  return words;
}

CellRuns::CellRuns(const Workspace& workspace, const std::string& dataset) {
  std::map<std::int64_t, std::string> digest_of;
  for (const auto& set : workspace.label_sets(dataset)) digest_of[set.id] = set.digest;
  for (const auto& run : workspace.runs()) {  // newest first
    const auto digest = digest_of.find(run.label_set);
    const auto config = parse_json<ordered_json>(run.config);
    if (digest == digest_of.end() || config.is_discarded()) continue;
    const auto [known, fresh] = runs_.try_emplace(key_of(config, digest->second), run);
    if (!fresh && run.status == "done" && known->second.status != "done") known->second = run;
  }
}

std::optional<RunRecord> CellRuns::find(const TableCell& cell) const {
  if (cell.labels.digest.empty()) return std::nullopt;
  const auto found = runs_.find(cell.key());
  return found == runs_.end() ? std::nullopt : std::optional(found->second);
}

train::ResultTable result_of(const Workspace& workspace, const train::PaperTable& table,
                             const std::vector<train::PaperRow>& rows, const std::vector<TableCell>& cells,
                             const std::string& dataset) {
  const auto& metrics = table.metrics_of(dataset);
  const CellRuns runs(workspace, dataset);
  train::ResultTable result{.title = table.title, .caption = "", .columns = {}, .rows = {}};
  for (const auto& noise : table.noise)
    for (const auto& metric : metrics)
      result.columns.push_back(metrics.size() == 1 ? percent_of(noise)
                                                   : fmt::format("{}, {}", percent_of(noise), metric));
  if (table.harmonic_mean) result.columns.emplace_back("harmonic mean");
  for (std::size_t r = 0; r < rows.size(); ++r) {
    train::ResultRow row{.name = rows[r].name, .group = rows[r].group, .quoted = rows[r].method.empty()};
    row.cells.resize(result.columns.size());
    if (const auto paper = rows[r].paper.find(dataset); paper != rows[r].paper.end())
      for (std::size_t c = 0; c < paper->second.size(); ++c) row.cells[c].paper = paper->second[c];
    if (const auto paper = rows[r].deviation.find(dataset); paper != rows[r].deviation.end())
      for (std::size_t c = 0; c < paper->second.size(); ++c) row.cells[c].paper_deviation = paper->second[c];
    std::map<std::uint64_t, std::vector<double>> of_seed;
    for (const auto& cell : cells) {
      if (cell.row != r) continue;
      const auto run = runs.find(cell);
      if (!run || run->status != "done") continue;
      const auto values = workspace.metrics(run->id);
      for (std::size_t m = 0; m < metrics.size(); ++m)
        if (const auto value = last_metric(values, metrics[m])) {
          row.cells[cell.noise * metrics.size() + m].values.push_back(100 * *value);
          if (m == 0) of_seed[cell.seed].push_back(100 * *value);
        }
    }
    if (table.harmonic_mean) {
      if (rows[r].harmonic_mean.contains(dataset)) row.cells.back().paper = rows[r].harmonic_mean.at(dataset);
      for (const auto& [seed, values] : of_seed)
        if (values.size() == table.noise.size()) row.cells.back().values.push_back(harmonic_mean(values));
    }
    result.rows.push_back(std::move(row));
  }
  return result;
}

}  // namespace procsim::tools
