#include "train/reports/epoch_meter.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "data/base/error.hpp"

namespace procsim::train {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kHistogramBins = 48;

Histogram empty_histogram(double from, double to) {
  return {from, to, std::vector<std::int64_t>(kHistogramBins), std::vector<std::int64_t>(kHistogramBins)};
}

bool has_histogram(const Quantity& quantity) {
  return quantity.meaning == Quantity::Meaning::kSuspicion || quantity.meaning == Quantity::Meaning::kTrust;
}

}  // namespace

EpochMeter::EpochMeter(std::vector<Quantity> quantities, std::size_t samples, std::vector<std::uint8_t> wrong)
    : quantities_(std::move(quantities)), wrong_(std::move(wrong)) {
  assert(wrong_.empty() || wrong_.size() == samples);
  for (const auto& quantity : quantities_)
    if (quantity.kind == Quantity::Kind::kColumn)
      columns_[quantity.name].assign(samples, std::numeric_limits<float>::quiet_NaN());
}

void EpochMeter::add(std::span<const std::int64_t> samples, const StepOutcome& outcome) {
  objective_.total += outcome.objective;
  ++objective_.count;
  for (const auto& [name, value] : outcome.scalars) {
    auto& sum = sums_[name];
    sum.total += value;
    ++sum.count;
  }
  add_columns(samples, outcome.columns);
}

void EpochMeter::add_set(const Columns& columns) {
  if (columns.empty()) return;
  std::vector<std::int64_t> all(columns.front().second.size());
  std::iota(all.begin(), all.end(), std::int64_t{0});
  add_columns(all, columns);
}

void EpochMeter::add_columns(std::span<const std::int64_t> samples, const Columns& columns) {
  const auto* kept = find(Quantity::Meaning::kKept);
  for (const auto& [name, values] : columns) {
    assert(values.size() == samples.size());
    auto& sum = sums_[name];
    auto& last = columns_.at(name);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      sum.total += values[i];
      ++sum.count;
      last[static_cast<std::size_t>(samples[i])] = static_cast<float>(values[i]);
    }
    if (kept == nullptr || kept->name != name || wrong_.empty()) continue;
    for (std::size_t i = 0; i < samples.size(); ++i)
      detection_.add(values[i] == 0, wrong_[static_cast<std::size_t>(samples[i])] != 0);
  }
}

double EpochMeter::objective() const {
  return objective_.count == 0 ? 0 : objective_.total / static_cast<double>(objective_.count);
}

std::vector<std::pair<const Quantity*, double>> EpochMeter::means() const {
  std::vector<std::pair<const Quantity*, double>> list;
  for (const auto& quantity : quantities_)
    if (const auto sum = sums_.find(quantity.name); sum != sums_.end() && sum->second.count > 0)
      list.emplace_back(&quantity, sum->second.total / static_cast<double>(sum->second.count));
  return list;
}

void EpochMeter::finish(EpochRecord& record) {
  if (objective_.count > 0) record.metrics.emplace_back("loss", objective());
  for (const auto& [quantity, mean] : means()) record.metrics.emplace_back(quantity->name, mean);
  add_histograms(record);
  add_doubted(record);
  add_detection(record);
  objective_ = {};
  sums_.clear();
  detection_ = {};
}

void EpochMeter::add_histograms(EpochRecord& record) const {
  for (const auto& quantity : quantities_) {
    if (!has_histogram(quantity)) continue;
    const auto& values = columns_.at(quantity.name);
    double largest = quantity.meaning == Quantity::Meaning::kTrust ? 1 : 0;
    if (quantity.meaning == Quantity::Meaning::kSuspicion)
      for (const float value : values)
        if (!std::isnan(value)) largest = std::max(largest, static_cast<double>(value));
    auto histogram = empty_histogram(0, largest);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!std::isnan(values[i])) histogram.add(values[i], !wrong_.empty() && wrong_[i] != 0);
    record.histograms.emplace_back(quantity.name, std::move(histogram));
  }
}

// Numbers of labels, each counted as it was seen last.
void EpochMeter::add_doubted(EpochRecord& record) const {
  const auto* kept = find(Quantity::Meaning::kKept);
  if (kept == nullptr) return;
  const auto& column = columns_.at(kept->name);
  double doubted = 0;
  double rightly = 0;
  for (std::size_t i = 0; i < column.size(); ++i) {
    if (column[i] != 0) continue;  // believed, or not seen
    ++doubted;
    rightly += !wrong_.empty() && wrong_[i] != 0 ? 1 : 0;
  }
  record.metrics.emplace_back("doubted", doubted);
  if (!wrong_.empty()) record.metrics.emplace_back("doubted_rightly", rightly);
}

void EpochMeter::add_detection(EpochRecord& record) const {
  const auto* suspicion = find(Quantity::Meaning::kSuspicion);
  if (wrong_.empty() || suspicion == nullptr) return;
  std::vector<double> values;
  std::vector<std::uint8_t> wrong;
  const auto& column = columns_.at(suspicion->name);
  for (std::size_t i = 0; i < column.size(); ++i) {
    if (std::isnan(column[i])) continue;
    values.push_back(column[i]);
    wrong.push_back(wrong_[i]);
  }
  const auto ranking = rank_detection(values, wrong);
  if (std::isnan(ranking.auroc)) return;
  auto& metrics = record.metrics;
  if (find(Quantity::Meaning::kKept) != nullptr) {
    metrics.emplace_back("detection_precision", detection_.precision());
    metrics.emplace_back("detection_recall", detection_.recall());
    metrics.emplace_back("detection_f1", detection_.f1());
  }
  metrics.emplace_back("detection_auroc", ranking.auroc);
  metrics.emplace_back("detection_ap", ranking.average_precision);
  metrics.emplace_back("detection_p_at_errors", ranking.precision_at_errors);
  if (const auto* trust = find(Quantity::Meaning::kTrust)) {
    const auto [right, wrong_ones] = means_by_truth(columns_.at(trust->name));
    metrics.emplace_back(trust->name + "_of_right", right);
    metrics.emplace_back(trust->name + "_of_wrong", wrong_ones);
  }
}

// The mean over the samples whose label is right, and over those whose label is wrong.
std::pair<double, double> EpochMeter::means_by_truth(const std::vector<float>& values) const {
  std::array<Sum, 2> sums;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    auto& sum = sums.at(wrong_[i] != 0 ? 1 : 0);
    sum.total += values[i];
    ++sum.count;
  }
  const auto mean = [](const Sum& sum) { return sum.total / static_cast<double>(sum.count); };
  return {mean(sums[0]), mean(sums[1])};
}

const Quantity* EpochMeter::find(Quantity::Meaning meaning) const {
  const auto found = std::find_if(quantities_.begin(), quantities_.end(), [&](const Quantity& quantity) {
    return quantity.meaning == meaning && quantity.kind == Quantity::Kind::kColumn;
  });
  return found == quantities_.end() ? nullptr : &*found;
}

std::span<const float> EpochMeter::last_seen(Quantity::Meaning meaning) const {
  const auto* quantity = find(meaning);
  if (quantity == nullptr) return {};
  return columns_.at(quantity->name);
}

ordered_json EpochMeter::sums() const {
  ordered_json json{{"objective", {objective_.total, objective_.count}},
                    {"quantities", ordered_json::object()}};
  for (const auto& [name, sum] : sums_) json["quantities"][name] = {sum.total, sum.count};
  json["detection"] = {detection_.accused, detection_.wrong, detection_.both};
  return json;
}

void EpochMeter::restore(const ordered_json& sums, std::map<std::string, std::vector<float>> columns,
                         const std::string& source) {
  for (const auto& [name, values] : columns_) {
    const auto found = columns.find(name);
    if (found == columns.end() || found->second.size() != values.size())
      throw Error(source + " lacks '" + name + "' for these samples");
  }
  columns_ = std::move(columns);
  const auto read = [](const ordered_json& pair) {
    return Sum{pair.at(0).get<double>(), pair.at(1).get<std::int64_t>()};
  };
  objective_ = read(sums.at("objective"));
  sums_.clear();
  for (const auto& [name, pair] : sums.at("quantities").items()) sums_[name] = read(pair);
  sums.at("detection").at(0).get_to(detection_.accused);
  sums.at("detection").at(1).get_to(detection_.wrong);
  sums.at("detection").at(2).get_to(detection_.both);
}

}  // namespace procsim::train
