#include "train/guidance/guidance.hpp"

#include <cmath>
#include <numeric>
#include <unordered_map>

#include <fmt/format.h>

#include "data/digest.hpp"
#include "data/error.hpp"

namespace procsim {
namespace {

// 4,096 × 4,096 single-precision numbers are 64 MB.
constexpr std::int64_t kKeptUnits = 4096;
constexpr std::size_t kNamesInErrors = 5;

torch::Tensor unit_rows(const torch::Tensor& rows) {
  return torch::nn::functional::normalize(rows.to(torch::kCPU, torch::kFloat32));
}

torch::Tensor as_tensor(const std::vector<float>& values, std::int64_t width) {
  return torch::tensor(values).view({-1, width});
}

const LabelClass& class_of(const TrainData& data, std::size_t dense) {
  return data.info.classes.at(static_cast<std::size_t>(data.classes[dense]));
}

[[noreturn]] void fail_missing(const std::string& source, const std::vector<std::string>& missing,
                               std::size_t total, const char* what) {
  std::string list;
  for (std::size_t i = 0; i < missing.size() && i < kNamesInErrors; ++i)
    list += (i == 0 ? "" : ", ") + fmt::format("'{}'", missing[i]);
  if (missing.size() > kNamesInErrors) list += fmt::format(" and {} more", missing.size() - kNamesInErrors);
  throw Error(
      fmt::format("{} lacks {} of the {} training {}: {}", source, missing.size(), total, what, list));
}

std::vector<std::int64_t> iota(std::size_t count) {
  std::vector<std::int64_t> list(count);
  std::iota(list.begin(), list.end(), 0);
  return list;
}

}  // namespace

Guidance::Guidance(torch::Tensor vectors, std::vector<std::int64_t> unit_of_sample)
    : vectors_(std::move(vectors)), unit_of_sample_(std::move(unit_of_sample)) {
  if (vectors_.size(0) <= kKeptUnits) matrix_ = torch::mm(vectors_, vectors_.t());
}

Guidance::Guidance(const GuidanceTable& table, const TrainData& data, const std::string& source)
    : Guidance(torch::zeros({1, 1}), {}) {
  std::unordered_map<std::int64_t, const GuidanceEntry*> entries;
  for (const auto& entry : table.entries) entries[entry.key] = &entry;
  const auto texts = unit_rows(as_tensor(table.vectors, table.dimension));
  const auto units = table.per_sample ? data.train.size() : data.classes.size();
  std::vector<std::int64_t> rows;
  std::vector<std::string> missing;
  for (std::size_t unit = 0; unit < units; ++unit) {
    const auto key = table.per_sample ? data.train[unit].id : data.classes[unit];
    const auto& name = table.per_sample ? data.train[unit].path : class_of(data, unit).name;
    const auto found = entries.find(key);
    // Another data set has the same labels and ids for other things.
    if (found == entries.end() || found->second->name != name) {
      missing.push_back(name);
      continue;
    }
    for (const auto& label : found->second->labels) rows.push_back(static_cast<std::int64_t>(label.text));
    if (table.per_sample) continue;
    pseudo_labels_.emplace_back();
    for (const auto& label : found->second->labels) pseudo_labels_.back().push_back(label.name);
  }
  if (!missing.empty()) fail_missing(source, missing, units, table.per_sample ? "samples" : "classes");
  const auto wide =
      texts.index_select(0, torch::tensor(rows, torch::kInt64)).view({static_cast<std::int64_t>(units), -1}) /
      std::sqrt(static_cast<double>(table.ranks()));
  auto labels = std::move(pseudo_labels_);
  *this = Guidance(wide, table.per_sample ? iota(units) : data.train_class);
  pseudo_labels_ = std::move(labels);
}

Guidance Guidance::from_text(const NamedVectors& vectors, const TrainData& data, const std::string& source) {
  std::unordered_map<std::string, std::int64_t> rows;
  for (std::size_t i = 0; i < vectors.names.size(); ++i)
    rows[vectors.names[i]] = static_cast<std::int64_t>(i);
  std::vector<std::int64_t> chosen;
  std::vector<std::string> missing;
  for (std::size_t dense = 0; dense < data.classes.size(); ++dense) {
    const auto& known = class_of(data, dense);
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
  return {unit_rows(features), iota(static_cast<std::size_t>(features.size(0)))};
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
  const auto classes = static_cast<std::int64_t>(data.classes.size());
  auto sums = torch::zeros({classes, vectors_.size(1)});
  const auto rows = vectors_.index_select(0, torch::tensor(unit_of_sample_, torch::kInt64));
  sums.index_add_(0, torch::tensor(data.train_class, torch::kInt64), rows);
  const auto means = torch::nn::functional::normalize(sums);
  return torch::mm(means, means.t());
}

std::string Guidance::digest() const {
  Sha256 digest;
  const auto flat = vectors_.contiguous();
  digest.update(std::as_bytes(std::span(flat.data_ptr<float>(), static_cast<std::size_t>(flat.numel()))));
  digest.update(std::as_bytes(std::span(unit_of_sample_)));
  return digest.finish_hex();
}

}  // namespace procsim
