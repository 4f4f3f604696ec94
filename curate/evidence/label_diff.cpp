#include "curate/evidence/label_diff.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace procsim::curate {

namespace {

const std::string& name_of(const LabelSetInfo& info, std::int32_t label) {
  static const std::string no_label = "(no label)";
  return label < 0 ? no_label : info.classes[static_cast<std::size_t>(label)].name;
}

}  // namespace

std::optional<double> LabelDiff::review_precision() const {
  const auto right = corrected + still_wrong + wrong_left_out, all = right + spoilt + right_left_out;
  if (all == 0) return std::nullopt;
  return static_cast<double>(right) / static_cast<double>(all);
}

LabelDiff diff_labels(const std::filesystem::path& before, const std::filesystem::path& after) {
  LabelDiff diff;
  LabelReadOptions without_paths;
  without_paths.paths = false;
  LabelSetReader later(after, without_paths);
  std::unordered_map<std::int64_t, std::int32_t> new_labels;
  while (const auto batch = later.next())
    for (std::int64_t row = 0; row < batch->rows(); ++row) {
      const auto i = static_cast<std::size_t>(row);
      new_labels.emplace(batch->sample_ids()[i], batch->labels()[i]);
      ++diff.rows_after;
      const auto truth = batch->true_label(row);
      if (!truth || batch->labels()[i] < 0) continue;
      ++diff.known_after;
      diff.wrong_after += batch->labels()[i] != *truth ? 1 : 0;
    }

  LabelSetReader earlier(before);
  std::map<std::pair<std::string, std::string>, std::int64_t> changes;
  std::int64_t matched = 0;
  while (const auto batch = earlier.next())
    for (std::int64_t row = 0; row < batch->rows(); ++row) {
      const auto i = static_cast<std::size_t>(row);
      const auto sample = batch->sample_ids()[i];
      const auto given = batch->labels()[i];
      const auto& old_name = name_of(earlier.info(), given);
      const auto truth = batch->true_label(row);
      const bool known = truth && given >= 0, was_wrong = known && given != *truth;
      ++diff.rows_before;
      diff.known_before += known ? 1 : 0;
      diff.wrong_before += was_wrong ? 1 : 0;
      const auto found = new_labels.find(sample);
      if (found == new_labels.end()) {
        ++diff.left_out;
        diff.wrong_left_out += was_wrong ? 1 : 0;
        diff.right_left_out += known && !was_wrong ? 1 : 0;
        diff.rows.push_back({sample, std::string(batch->path(row)), old_name, ""});
        continue;
      }
      ++matched;
      const auto& new_name = name_of(later.info(), found->second);
      if (new_name == old_name) {
        ++diff.same;
        continue;
      }
      ++diff.changed;
      ++changes[{old_name, new_name}];
      diff.rows.push_back({sample, std::string(batch->path(row)), old_name, new_name});
      if (!known) continue;
      const bool is_wrong = new_name != name_of(earlier.info(), *truth);
      diff.corrected += was_wrong && !is_wrong ? 1 : 0;
      diff.still_wrong += was_wrong && is_wrong ? 1 : 0;
      diff.spoilt += !was_wrong && is_wrong ? 1 : 0;
    }
  diff.added = diff.rows_after - matched;
  for (const auto& [names, count] : changes) diff.changes.push_back({names.first, names.second, count});
  std::ranges::stable_sort(diff.changes, [](const auto& a, const auto& b) { return a.count > b.count; });
  std::ranges::sort(diff.rows, {}, &LabelDiff::Row::sample);
  return diff;
}

}  // namespace procsim::curate
