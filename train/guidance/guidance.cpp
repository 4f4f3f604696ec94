#include "train/guidance/guidance.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include <fmt/format.h>

#include "data/base/digest.hpp"
#include "data/base/error.hpp"
#include "data/base/words.hpp"
#include "train/models/unit_rows.hpp"

namespace procsim::train {
namespace {

// 4,096 × 4,096 single-precision numbers are 64 MB.
constexpr std::int64_t kKeptUnits = 4096;
constexpr std::size_t kNamesInErrors = 5;

torch::Tensor as_tensor(const std::vector<float>& values, std::int64_t width) {
  return torch::tensor(values).view({-1, width});
}

[[noreturn]] void fail_missing(const std::string& source, const std::vector<std::string>& missing,
                               std::size_t total, const char* what) {
  std::vector<std::string> quoted;
  for (const auto& name : missing) quoted.push_back(fmt::format("'{}'", name));
  throw Error(fmt::format("{} lacks {} of the {} training {}: {}", source, missing.size(), total, what,
                          first_few(quoted, kNamesInErrors)));
}

std::vector<std::int64_t> iota(std::size_t count) {
  std::vector<std::int64_t> list(count);
  std::iota(list.begin(), list.end(), 0);
  return list;
}

// The table's entry of every unit: of each training class, or of each sample.
std::vector<const GuidanceEntry*> entries_of_units(const GuidanceTable& table, const TrainData& data,
                                                   const std::string& source) {
  std::unordered_map<std::int64_t, const GuidanceEntry*> entries;
  for (const auto& entry : table.entries) entries[entry.key] = &entry;
  const auto units = table.per_sample ? data.train.size() : data.classes.size();
  std::vector<const GuidanceEntry*> chosen;
  std::vector<std::string> missing;
  for (std::size_t unit = 0; unit < units; ++unit) {
    const auto key = table.per_sample ? data.train[unit].id : data.classes[unit];
    const auto& name = table.per_sample ? data.train[unit].path : data.class_at(unit).name;
    const auto found = entries.find(key);
    // Another data set has the same labels and ids for other things.
    if (found == entries.end() || found->second->name != name)
      missing.push_back(name);
    else
      chosen.push_back(found->second);
  }
  if (!missing.empty()) fail_missing(source, missing, units, table.per_sample ? "samples" : "classes");
  return chosen;
}

// The texts of all ranks side by side.
torch::Tensor text_rows(const GuidanceTable& table, const std::vector<const GuidanceEntry*>& units) {
  std::vector<std::int64_t> rows;
  for (const auto* unit : units)
    for (const auto& label : unit->labels) rows.push_back(static_cast<std::int64_t>(label.text));
  return unit_rows(as_tensor(table.vectors, table.dimension))
             .index_select(0, torch::tensor(rows, torch::kInt64))
             .view({static_cast<std::int64_t>(units.size()), -1}) /
         std::sqrt(static_cast<double>(table.ranks()));
}

std::vector<std::string> names_of(const GuidanceEntry& entry) {
  std::vector<std::string> names;
  for (const auto& label : entry.labels) names.push_back(label.name);
  return names;
}

// The names that occur most often among a class's samples; of equals, those with the better ranks.
std::vector<std::string> most_frequent_names(const std::vector<const GuidanceEntry*>& samples,
                                             std::size_t count) {
  struct Tally {
    std::string name;
    std::size_t samples = 0, ranks = 0;
  };
  std::map<std::size_t, Tally> tallies;  // by text
  for (const auto* sample : samples) {
    for (std::size_t rank = 0; rank < sample->labels.size(); ++rank) {
      auto& tally = tallies[sample->labels[rank].text];
      tally.name = sample->labels[rank].name;
      ++tally.samples;
      tally.ranks += rank;
    }
  }
  std::vector<Tally> order;
  for (const auto& [text, tally] : tallies) order.push_back(tally);
  std::stable_sort(order.begin(), order.end(), [](const Tally& a, const Tally& b) {
    return a.samples != b.samples ? a.samples > b.samples : a.ranks < b.ranks;
  });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(count, order.size()); ++i) names.push_back(order[i].name);
  return names;
}

}  // namespace

Guidance::Guidance(torch::Tensor vectors, std::vector<std::int64_t> unit_of_sample)
    : vectors_(std::move(vectors)), unit_of_sample_(std::move(unit_of_sample)) {
  if (vectors_.size(0) <= kKeptUnits) matrix_ = torch::mm(vectors_, vectors_.t());
}

Guidance::Guidance(const GuidanceTable& table, const TrainData& data, const std::string& source)
    : Guidance(table, entries_of_units(table, data, source), data) {}

Guidance::Guidance(const GuidanceTable& table, const std::vector<const GuidanceEntry*>& units,
                   const TrainData& data)
    : Guidance(text_rows(table, units), table.per_sample ? iota(units.size()) : data.train_class) {
  pseudo_labels_of_samples_ = table.per_sample;
  if (!table.per_sample) {
    for (const auto* unit : units) pseudo_labels_.push_back(names_of(*unit));
    return;
  }
  std::vector<std::vector<const GuidanceEntry*>> samples(data.classes.size());
  for (std::size_t i = 0; i < units.size(); ++i)
    samples[static_cast<std::size_t>(data.train_class[i])].push_back(units[i]);
  for (const auto& of_class : samples) pseudo_labels_.push_back(most_frequent_names(of_class, table.ranks()));
}

Guidance Guidance::from_text(const NamedVectors& vectors, const TrainData& data, const std::string& source) {
  std::unordered_map<std::string, std::int64_t> rows;
  for (std::size_t i = 0; i < vectors.names.size(); ++i)
    rows[vectors.names[i]] = static_cast<std::int64_t>(i);
  std::vector<std::int64_t> chosen;
  std::vector<std::string> missing;
  for (std::size_t dense = 0; dense < data.classes.size(); ++dense) {
    const auto& known = data.class_at(dense);
    auto found = rows.find(known.name);
    if (found == rows.end()) found = rows.find(known.published);
    if (found == rows.end())
      missing.push_back(known.name);
    else
      chosen.push_back(found->second);
  }
  if (!missing.empty()) fail_missing(source, missing, data.classes.size(), "classes");
  const auto all = unit_rows(as_tensor(vectors.values, vectors.dimension));
  return {all.index_select(0, torch::tensor(chosen, torch::kInt64)), data.train_class};
}

Guidance Guidance::from_samples(const NamedVectors& vectors, const TrainData& data,
                                const std::string& source) {
  std::unordered_map<std::int64_t, std::int64_t> rows;
  for (std::size_t i = 0; i < vectors.ids.size(); ++i) rows[vectors.ids[i]] = static_cast<std::int64_t>(i);
  std::vector<std::int64_t> chosen;
  std::vector<std::string> missing;
  for (const auto& sample : data.train) {
    const auto found = rows.find(sample.id);
    if (found == rows.end())
      missing.push_back(fmt::format("{} ({})", sample.id, sample.path));
    else
      chosen.push_back(found->second);
  }
  if (!missing.empty()) fail_missing(source, missing, data.train.size(), "samples");
  return from_features(
      as_tensor(vectors.values, vectors.dimension).index_select(0, torch::tensor(chosen, torch::kInt64)));
}

Guidance Guidance::from_features(const torch::Tensor& features) {
  return {unit_rows(features.to(torch::kCPU, torch::kFloat32)),
          iota(static_cast<std::size_t>(features.size(0)))};
}

torch::Tensor Guidance::operator()(std::span<const std::int64_t> samples) const {
  std::vector<std::int64_t> units;
  for (const auto sample : samples) units.push_back(unit_of_sample_.at(static_cast<std::size_t>(sample)));
  const auto index = torch::tensor(units, torch::kInt64);
  if (matrix_.defined()) return matrix_.index_select(0, index).index_select(1, index);
  const auto rows = vectors_.index_select(0, index);
  return torch::mm(rows, rows.t());
}

torch::Tensor Guidance::class_matrix(const TrainData& data) const {
  const auto rows = vectors_.index_select(0, torch::tensor(unit_of_sample_, torch::kInt64));
  const auto means = unit_class_means(rows, torch::tensor(data.train_class, torch::kInt64),
                                      static_cast<std::int64_t>(data.classes.size()));
  return torch::mm(means, means.t());
}

std::string Guidance::digest() const {
  Sha256 digest;
  const auto flat = vectors_.contiguous();
  digest.update(std::as_bytes(std::span(flat.data_ptr<float>(), static_cast<std::size_t>(flat.numel()))));
  digest.update(std::as_bytes(std::span(unit_of_sample_)));
  return digest.finish_hex();
}

}  // namespace procsim::train
