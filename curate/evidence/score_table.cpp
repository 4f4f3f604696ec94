#include "curate/evidence/score_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "data/base/error.hpp"

namespace procsim::curate {

void ScoreTable::IdLists::append(const std::vector<std::int64_t>& list) {
  values.insert(values.end(), list.begin(), list.end());
  ends.push_back(values.size());
}

std::vector<std::int64_t> ScoreTable::IdLists::list(std::uint32_t index) const {
  const auto begin = index == 0 ? 0 : ends[index - 1];
  return {values.begin() + static_cast<std::ptrdiff_t>(begin),
          values.begin() + static_cast<std::ptrdiff_t>(ends[index])};
}

ScoreTable::ScoreTable(ScoresInfo info, std::size_t expected_rows) : info_(std::move(info)) {
  sample_ids_.reserve(expected_rows);
  for (auto* column : {&labels_, &suggested_, &true_labels_, &folds_}) column->reserve(expected_rows);
  for (auto* column : {&proxy_loss_, &confidence_, &p_mislabelled_, &suspicion_, &p_given_, &margin_})
    column->reserve(expected_rows);
  for (auto* column :
       {&path_ends_, &rival_ends_, &near_given_.ends, &near_suggested_.ends, &duplicates_.ends})
    column->reserve(expected_rows);
}

void ScoreTable::append(const ScoreRow& row) {
  const auto number = size() + 1;
  const auto classes = static_cast<std::int32_t>(info_.classes.size());
  const auto is_class = [&](std::int32_t label) { return label >= kUnlabelled && label < classes; };
  if (!is_class(row.label) || !is_class(row.suggested))
    throw Error(
        fmt::format("scores row {} (sample {}): label {} or suggestion {} is not one of the {} classes",
                    number, row.sample_id, row.label, row.suggested, classes));
  if (!(row.p_mislabelled >= 0 && row.p_mislabelled <= 1))
    throw Error(fmt::format("scores row {} (sample {}): p_mislabelled is {}, not a probability", number,
                            row.sample_id, row.p_mislabelled));
  if (!std::isfinite(row.suspicion))
    throw Error(fmt::format("scores row {} (sample {}): suspicion is {}, which cannot be ranked", number,
                            row.sample_id, row.suspicion));
  sample_ids_.push_back(row.sample_id);
  labels_.push_back(row.label);
  suggested_.push_back(row.suggested);
  true_labels_.push_back(row.true_label.value_or(kUnlabelled));
  folds_.push_back(row.fold);
  proxy_loss_.push_back(row.proxy_loss);
  confidence_.push_back(row.confidence);
  p_mislabelled_.push_back(row.p_mislabelled);
  suspicion_.push_back(row.suspicion);
  p_given_.push_back(row.p_given);
  margin_.push_back(row.margin);
  paths_ += row.path;
  path_ends_.push_back(paths_.size());
  for (const auto& rival : row.rivals)
    if (rival.label >= 0 && rival.label < classes) rivals_.push_back(rival);
  rival_ends_.push_back(rivals_.size());
  near_given_.append(row.near_given);
  near_suggested_.append(row.near_suggested);
  duplicates_.append(row.duplicates);
  near_rivals_.append(row.near_rivals);
  constexpr auto kNowhere = std::numeric_limits<float>::quiet_NaN();
  if (row.place && map_x_.empty())
    for (auto* column : {&map_x_, &map_y_}) column->assign(number - 1, kNowhere);
  if (row.place || !map_x_.empty()) {
    map_x_.push_back(row.place ? row.place->x : kNowhere);
    map_y_.push_back(row.place ? row.place->y : kNowhere);
  }
  if (row.p_none && p_none_.empty()) p_none_.assign(number - 1, kNowhere);
  if (row.p_none || !p_none_.empty()) p_none_.push_back(row.p_none.value_or(kNowhere));
}

void ScoreTable::finish() {
  const auto id_of = [this](std::uint32_t index) { return sample_ids_[index]; };
  if (!std::ranges::is_sorted(sample_ids_)) {
    by_id_.resize(size());
    std::iota(by_id_.begin(), by_id_.end(), 0U);
    std::ranges::sort(by_id_, {}, id_of);
  }
  for (std::size_t i = 1; i < size(); ++i) {
    const auto before = by_id_.empty() ? sample_ids_[i - 1] : id_of(by_id_[i - 1]);
    const auto here = by_id_.empty() ? sample_ids_[i] : id_of(by_id_[i]);
    if (before == here)
      throw Error(fmt::format("scores: sample {} occurs twice; each sample has one row", here));
  }
}

std::optional<std::int32_t> ScoreTable::true_label(std::uint32_t index) const {
  if (true_labels_[index] == kUnlabelled) return std::nullopt;
  return true_labels_[index];
}

std::string_view ScoreTable::path(std::uint32_t index) const {
  const auto begin = index == 0 ? 0 : path_ends_[index - 1];
  return std::string_view(paths_).substr(begin, path_ends_[index] - begin);
}

const std::string& ScoreTable::class_name(std::int32_t label) const {
  static const std::string no_label = "(no label)";
  return label < 0 ? no_label : info_.classes[static_cast<std::size_t>(label)].name;
}

ScoreRow ScoreTable::row(std::uint32_t index) const {
  ScoreRow row;
  row.sample_id = sample_ids_[index];
  row.path = path(index);
  row.label = labels_[index];
  row.true_label = true_label(index);
  row.proxy_loss = proxy_loss_[index];
  row.confidence = confidence_[index];
  row.p_mislabelled = p_mislabelled_[index];
  row.suspicion = suspicion_[index];
  row.p_given = p_given_[index];
  row.margin = margin_[index];
  row.suggested = suggested_[index];
  const auto begin = index == 0 ? 0 : rival_ends_[index - 1];
  row.rivals.assign(rivals_.begin() + static_cast<std::ptrdiff_t>(begin),
                    rivals_.begin() + static_cast<std::ptrdiff_t>(rival_ends_[index]));
  row.near_given = near_given_.list(index);
  row.near_suggested = near_suggested_.list(index);
  row.duplicates = duplicates_.list(index);
  row.near_rivals = near_rivals_.list(index);
  if (!map_x_.empty() && std::isfinite(map_x_[index])) row.place = {map_x_[index], map_y_[index]};
  if (!p_none_.empty() && std::isfinite(p_none_[index])) row.p_none = p_none_[index];
  row.fold = folds_[index];
  return row;
}

std::optional<std::uint32_t> ScoreTable::find(std::int64_t sample_id) const {
  if (by_id_.empty()) {
    const auto found = std::ranges::lower_bound(sample_ids_, sample_id);
    if (found == sample_ids_.end() || *found != sample_id) return std::nullopt;
    return static_cast<std::uint32_t>(found - sample_ids_.begin());
  }
  const auto found = std::ranges::lower_bound(by_id_, sample_id, {},
                                              [this](std::uint32_t index) { return sample_ids_[index]; });
  if (found == by_id_.end() || sample_ids_[*found] != sample_id) return std::nullopt;
  return *found;
}

std::vector<std::uint32_t> ScoreTable::ranking() const {
  std::vector<std::uint32_t> order(size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [this](std::uint32_t a, std::uint32_t b) {
    if (suspicion_[a] != suspicion_[b]) return suspicion_[a] > suspicion_[b];
    return sample_ids_[a] < sample_ids_[b];
  });
  return order;
}

ScoreTable read_scores(const std::filesystem::path& path, const Progress& progress) {
  ScoresReader reader(path);
  const auto total = static_cast<std::size_t>(reader.rows());
  ScoreTable table(reader.info(), total);
  try {
    for (auto rows = reader.next(); !rows.empty(); rows = reader.next()) {
      for (const auto& row : rows) table.append(row);
      if (progress) progress(table.size(), total);
    }
    table.finish();
  } catch (const UsageError&) {
    throw;
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.find(path.string()) != std::string::npos) throw;
    throw Error(fmt::format("{}: {}", path.string(), message));
  }
  return table;
}

}  // namespace procsim::curate
