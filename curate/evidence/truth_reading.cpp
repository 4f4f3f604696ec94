#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "curate/evidence/evaluation.hpp"
#include "data/base/error.hpp"
#include "data/base/words.hpp"
#include "data/files/npy.hpp"
#include "data/labels/foreign_table.hpp"

namespace procsim::curate {

namespace {

std::optional<LabelSetReader> open_label_set(const std::filesystem::path& file) {
  if (!std::filesystem::is_directory(file) && !is_parquet(file)) return std::nullopt;
  if (!is_label_set(file)) return std::nullopt;  // some other Parquet table
  return LabelSetReader(file);
}

Truth from_label_set(LabelSetReader& reader, const ScoreTable& table, const std::filesystem::path& file) {
  Truth truth;
  truth.labels.assign(table.size(), kUnlabelled);
  LabelSetInfo ours;
  ours.classes = table.info().classes;
  std::vector<std::int32_t> our_label;
  for (const auto& item : reader.info().classes) {
    try {
      our_label.push_back(ours.label_of(item.name));
    } catch (const Error&) {
      our_label.push_back(kNoneOfThese);  // a class that the scores do not have: certainly another label
    }
  }
  std::size_t known = 0, matched = 0;
  while (const auto batch = reader.next())
    for (std::int64_t row = 0; row < batch->rows(); ++row) {
      const auto index = table.find(batch->sample_ids()[static_cast<std::size_t>(row)]);
      if (!index) continue;
      ++matched;
      const auto label = batch->true_label(row);
      if (!label) continue;
      ++known;
      truth.labels[*index] =
          *label == kNoneOfThese ? kNoneOfThese : our_label[static_cast<std::size_t>(*label)];
    }
  if (matched == 0) throw Error(fmt::format("{} has none of the scored samples", file.string()));
  if (known == 0)
    throw Error(fmt::format("{} knows no true labels of the scored samples (its column true_label is empty)",
                            file.string()));
  return truth;
}

// 1 wrong, 0 right, −1 where nothing is written.
std::int8_t is_wrong(const ForeignTable& foreign, const TableColumn& mask, std::int64_t row) {
  const auto word = lower_case(foreign.text(mask, row));
  if (word.empty() || word == "-1") return -1;
  if (word == "1" || word == "true" || word == "yes") return 1;
  if (word == "0" || word == "false" || word == "no") return 0;
  throw Error(fmt::format("{}: '{}' is neither 0 nor 1", foreign.place(mask, row), word));
}

// A value for each scored sample, in the order of their ids.
Truth from_mask_array(const std::filesystem::path& file, const ScoreTable& table) {
  const auto values = read_npy_integers(file);
  if (values.size() != table.size())
    throw Error(
        fmt::format("{} has {} values for {} scored samples; a mask has one each, in the order of ids",
                    file.string(), values.size(), table.size()));
  std::vector<std::int64_t> ids(table.sample_ids().begin(), table.sample_ids().end());
  std::ranges::sort(ids);
  Truth truth;
  truth.labels.assign(table.size(), kUnlabelled);
  truth.mask.assign(table.size(), -1);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (values[i] < -1 || values[i] > 1)
      throw Error(fmt::format("{}: value {} is {}; a mask has 0 for right and 1 for wrong labels",
                              file.string(), i, values[i]));
    truth.mask[*table.find(ids[i])] = static_cast<std::int8_t>(values[i]);
  }
  return truth;
}

}  // namespace

Truth read_truth(const std::filesystem::path& file, const ScoreTable& table) {
  if (auto reader = open_label_set(file)) return from_label_set(*reader, table, file);
  if (file.extension() == ".npy") return from_mask_array(file, table);
  const ForeignTable foreign(file);
  const auto* ids = foreign.find({"sample_id", "id"});
  const auto* paths = ids ? nullptr : &foreign.require({"path", "image", "file", "filename"});
  const auto* mask = foreign.find({"true_label", "truth"})
                         ? nullptr
                         : foreign.find({"wrong", "is_wrong", "is_error", "mask"});
  const auto& labels = mask ? *mask : foreign.require({"true_label", "truth", "label"});
  const auto* types = foreign.find({"noise_type", "noise"});
  std::unordered_map<std::string_view, std::uint32_t> by_path;
  if (paths)
    for (std::uint32_t row = 0; row < table.size(); ++row) by_path.emplace(table.path(row), row);
  LabelSetInfo ours;
  ours.classes = table.info().classes;
  Truth truth;
  truth.labels.assign(table.size(), kUnlabelled);
  if (types) truth.noise_types.resize(table.size());
  if (mask) truth.mask.assign(table.size(), -1);
  for (std::int64_t row = 0; row < foreign.rows(); ++row) {
    std::optional<std::uint32_t> index;
    if (ids) {
      index = table.find(foreign.integer(*ids, row));
    } else if (const auto found = by_path.find(foreign.text(*paths, row)); found != by_path.end()) {
      index = found->second;
    }
    if (!index) continue;
    if (mask)
      truth.mask[*index] = is_wrong(foreign, *mask, row);
    else
      truth.labels[*index] = foreign.label(labels, row, ours);
    if (types) truth.noise_types[*index] = foreign.text(*types, row);
  }
  if (truth.known() == 0) throw Error(fmt::format("{} knows none of the scored samples", file.string()));
  return truth;
}

Ranking read_ranking(const std::filesystem::path& file, const std::optional<std::string>& column) {
  Ranking ranking;
  ranking.name = file.stem().string();
  if (is_parquet(file) && !column) {
    std::optional<ScoresReader> reader;
    try {
      reader.emplace(file);
    } catch (const Error&) {
      // some other Parquet table
    }
    if (reader) {
      for (auto rows = reader->next(); !rows.empty(); rows = reader->next())
        for (const auto& row : rows) {
          ranking.scores.emplace(row.sample_id, row.suspicion);
          if (row.true_label && row.label != kUnlabelled)
            ranking.wrong.emplace(row.sample_id, *row.true_label != row.label);
        }
      ranking.note = "suspicion";
      return ranking;
    }
  }
  const ForeignTable foreign(file);
  const auto& ids = foreign.require({"sample_id", "id"});
  const auto* scores = column ? &foreign.require({*column})
                              : foreign.find({"suspicion", "score", "p_mislabelled", "mistakenness"});
  double sign = 1;
  if (!scores ||
      (column && foreign.find({"label_quality", "label_score", "self_confidence", "quality"}) == scores)) {
    scores = &foreign.require({"label_quality", "label_score", "self_confidence", "quality"});
    sign = -1;
  }
  ranking.note = sign > 0 ? scores->name : fmt::format("{}, turned round: low is suspect", scores->name);
  for (std::int64_t row = 0; row < foreign.rows(); ++row)
    ranking.scores.emplace(foreign.integer(ids, row), sign * foreign.number(*scores, row));
  return ranking;
}

}  // namespace procsim::curate
