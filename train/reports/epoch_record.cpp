#include "train/reports/epoch_record.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace procsim::train {
namespace {

using nlohmann::ordered_json;

ordered_json histogram_json(const Histogram& histogram) {
  return {
      {"from", histogram.from}, {"to", histogram.to}, {"clean", histogram.clean}, {"noisy", histogram.noisy}};
}

Histogram histogram_from_json(const ordered_json& json) {
  Histogram histogram;
  json.at("from").get_to(histogram.from);
  json.at("to").get_to(histogram.to);
  json.at("clean").get_to(histogram.clean);
  json.at("noisy").get_to(histogram.noisy);
  return histogram;
}

}  // namespace

void Histogram::add(double value, bool wrong) {
  auto& bins = wrong ? noisy : clean;
  const auto count = static_cast<double>(bins.size());
  const double place = to > from ? (value - from) / (to - from) * count : 0;
  ++bins[static_cast<std::size_t>(std::clamp(place, 0.0, count - 1))];
}

const double* EpochRecord::find(std::string_view name) const {
  const auto found =
      std::find_if(metrics.begin(), metrics.end(), [&](const auto& metric) { return metric.first == name; });
  return found == metrics.end() ? nullptr : &found->second;
}

const Histogram* EpochRecord::histogram(std::string_view column) const {
  const auto found = std::find_if(histograms.begin(), histograms.end(),
                                  [&](const auto& histogram) { return histogram.first == column; });
  return found == histograms.end() ? nullptr : &found->second;
}

ordered_json to_json(const EpochRecord& record) {
  ordered_json json{{"epoch", record.epoch}, {"metrics", ordered_json::array()}};
  for (const auto& [name, value] : record.metrics) json["metrics"].push_back({name, value});
  json["histograms"] = ordered_json::object();
  for (const auto& [name, histogram] : record.histograms)
    json["histograms"][name] = histogram_json(histogram);
  return json;
}

EpochRecord epoch_record_from_json(const ordered_json& json) {
  EpochRecord record;
  json.at("epoch").get_to(record.epoch);
  for (const auto& metric : json.at("metrics"))
    record.metrics.emplace_back(metric.at(0).get<std::string>(), metric.at(1).get<double>());
  for (const auto& [name, histogram] : json.at("histograms").items())
    record.histograms.emplace_back(name, histogram_from_json(histogram));
  return record;
}

std::string metrics_csv(std::span<const EpochRecord> records) {
  std::vector<std::string> names;
  for (const auto& record : records)
    for (const auto& [name, value] : record.metrics)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  std::string text = "epoch";
  for (const auto& name : names) text += "," + name;
  text += '\n';
  for (const auto& record : records) {
    text += std::to_string(record.epoch);
    for (const auto& name : names) {
      const double* value = record.find(name);
      text += value != nullptr && std::isfinite(*value) ? fmt::format(",{:.6g}", *value) : ",";
    }
    text += '\n';
  }
  return text;
}

std::string metrics_jsonl(std::span<const EpochRecord> records) {
  std::string text;
  for (const auto& record : records) {
    ordered_json line{{"epoch", record.epoch}};
    for (const auto& [name, value] : record.metrics) line[name] = value;
    text += line.dump() + "\n";
  }
  return text;
}

}  // namespace procsim::train
