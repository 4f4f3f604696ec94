#include "train/reports/paper_tables.hpp"

#include <algorithm>

#include "embedded/paper_tables.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/base/error.hpp"
#include "data/base/number.hpp"
#include "data/base/suggest.hpp"

namespace procsim::train {
namespace {

using nlohmann::ordered_json;

const ordered_json& all_tables() {
  static const auto json = ordered_json::parse(embedded::paper_tables());
  return json;
}

using Numbers = std::map<std::string, std::vector<std::optional<double>>>;

Numbers numbers_of(const ordered_json& row, const char* field) {
  Numbers numbers;
  if (!row.contains(field)) return numbers;
  for (const auto& [dataset, values] : row.at(field).items())
    for (const auto& value : values)
      numbers[dataset].push_back(value.is_null() ? std::nullopt : std::optional(value.get<double>()));
  return numbers;
}

PaperRow row_of(const ordered_json& json) {
  PaperRow row{.row = json.at("row"), .name = json.at("name")};
  row.group = json.value("group", "");
  row.method = json.value("method", "");
  row.lacks = json.value("lacks", "");
  row.settings = json.value("settings", ordered_json::object());
  row.paper = numbers_of(json, "paper");
  row.deviation = numbers_of(json, "deviation");
  if (json.contains("harmonic_mean"))
    for (const auto& [dataset, value] : json.at("harmonic_mean").items()) row.harmonic_mean[dataset] = value;
  return row;
}

}  // namespace

const std::vector<std::string>& PaperTable::metrics_of(const std::string& dataset) const {
  const auto own = metrics.find(dataset);
  return own == metrics.end() ? metrics.at("default") : own->second;
}

PaperTable PaperTable::with_noise(const std::vector<std::string>& columns) const {
  const auto in_columns = [&](const std::vector<std::optional<double>>& before, std::size_t width) {
    std::vector<std::optional<double>> values;
    for (const auto& column : columns) {
      const auto place = std::find(noise.begin(), noise.end(), column);
      for (std::size_t m = 0; m < width; ++m)
        values.push_back(place == noise.end()
                             ? std::nullopt
                             : before.at(static_cast<std::size_t>(place - noise.begin()) * width + m));
    }
    return values;
  };
  auto table = *this;
  table.noise = columns;
  const bool all = std::is_permutation(columns.begin(), columns.end(), noise.begin(), noise.end());
  table.harmonic_mean = harmonic_mean && columns.size() > 1;
  for (auto& row : table.rows) {
    if (!all) row.harmonic_mean.clear();
    for (auto* numbers : {&row.paper, &row.deviation})
      for (auto& [dataset, values] : *numbers) values = in_columns(values, metrics_of(dataset).size());
  }
  return table;
}

std::string noise_column(std::string_view text) {
  if (text == "none") return "none";
  static const std::vector<std::string> models{"uniform", "semantic", "pair", "superclass", "distance"};
  const auto dash = text.rfind('-');
  const auto model = text.substr(0, dash);
  const auto number = dash == std::string_view::npos ? std::string_view() : text.substr(dash + 1);
  if (std::find(models.begin(), models.end(), model) == models.end())
    throw UsageError(fmt::format("--noise {}: write none, or a model and its rate such as uniform-0.5 ({}){}",
                                 text, fmt::join(models, ", "), did_you_mean(model, models)));
  const auto rate = parse_number<double>(number);
  if (!rate || !(*rate > 0 && *rate <= 1))
    throw UsageError(
        fmt::format("--noise {}: '{}' is no rate above 0; write {}-0.5 or the like", text, number, model));
  return fmt::format("{} {}", model, *rate);
}

std::vector<std::string> paper_table_names() {
  std::vector<std::string> names;
  for (const auto& [name, table] : all_tables().at("tables").items()) names.push_back(name);
  return names;
}

PaperTable paper_table(std::string_view name) {
  const auto& tables = all_tables().at("tables");
  if (!tables.contains(name)) {
    const auto known = paper_table_names();
    throw UsageError(
        fmt::format("no table '{}' ({}){}", name, fmt::join(known, ", "), did_you_mean(name, known)));
  }
  const auto& json = tables.at(std::string(name));
  PaperTable table{.name = std::string(name), .label = json.at("label"), .title = json.at("title")};
  table.backbone = json.value("backbone", "");
  table.harmonic_mean = json.at("harmonic_mean");
  json.at("noise").get_to(table.noise);
  json.at("metrics").get_to(table.metrics);
  for (const auto& row : json.at("rows")) table.rows.push_back(row_of(row));
  for (const auto& row : all_tables().at("ours")) table.rows.push_back(row_of(row));
  return table;
}

}  // namespace procsim::train
