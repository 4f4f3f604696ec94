#include "noise/label_difference.hpp"

#include <unordered_map>

#include <fmt/format.h>

#include "data/base/error.hpp"

namespace procsim::noise {
namespace {

// One row, wherever it came from.
struct RowView {
  std::int64_t id = 0;
  std::int32_t label = kUnlabelled;
  std::optional<std::int32_t> true_label;
  std::string_view path;
  std::string_view split;
};

RowView view(const LabelBatch& batch, std::int64_t row) {
  const auto at = static_cast<std::size_t>(row);
  return {batch.sample_ids()[at], batch.labels()[at], batch.true_label(row), batch.path(row),
          batch.split(row)};
}

class Comparer {
 public:
  explicit Comparer(const std::function<void(const LabelChange&)>& each) : each_(each) {}

  void compare(const RowView& before, const RowView& after) {
    ++result.common;
    result.other_path += before.path != after.path ? 1 : 0;
    const bool both_known = before.true_label && after.true_label;
    result.other_truth += both_known && before.true_label != after.true_label ? 1 : 0;
    if (before.label == after.label) return;
    ++result.changed;
    ++result.pairs[{before.label, after.label}];
    const auto truth = after.true_label ? after.true_label : before.true_label;
    if (truth) {
      result.mended += *truth == after.label ? 1 : 0;
      result.broken += *truth == before.label ? 1 : 0;
    }
    if (each_) {
      each_({after.id, std::string(after.path), std::string(after.split), before.label, after.label, truth});
    }
  }

  LabelDifference result;

 private:
  const std::function<void(const LabelChange&)>& each_;
};

// True when ids and their order are the same.
bool same_samples(const std::filesystem::path& before, const std::filesystem::path& after) {
  LabelReadOptions narrow;
  narrow.paths = false;
  narrow.true_labels = false;
  LabelSetReader left(before, narrow), right(after, narrow);
  if (left.file_rows() != right.file_rows()) return false;
  auto a = left.next();
  auto b = right.next();
  std::int64_t i = 0, j = 0;
  while (a && b) {
    if (a->sample_ids()[static_cast<std::size_t>(i)] != b->sample_ids()[static_cast<std::size_t>(j)])
      return false;
    if (++i == a->rows()) a = left.next(), i = 0;
    if (++j == b->rows()) b = right.next(), j = 0;
  }
  return !a && !b;
}

void side_by_side(const std::filesystem::path& before, const std::filesystem::path& after,
                  Comparer& comparer) {
  LabelSetReader left(before), right(after);
  auto a = left.next();
  auto b = right.next();
  std::int64_t i = 0, j = 0;
  while (a && b) {
    comparer.compare(view(*a, i), view(*b, j));
    if (++i == a->rows()) a = left.next(), i = 0;
    if (++j == b->rows()) b = right.next(), j = 0;
  }
}

void by_id(const std::filesystem::path& before, const std::filesystem::path& after, Comparer& comparer) {
  std::unordered_map<std::int64_t, LabelRow> rows;
  LabelSetReader left(before), right(after);
  while (const auto batch = left.next()) {
    for (std::int64_t row = 0; row < batch->rows(); ++row) {
      const auto seen = view(*batch, row);
      rows[seen.id] = {seen.id, std::string(seen.path), std::string(seen.split), seen.label, seen.true_label};
    }
  }
  while (const auto batch = right.next()) {
    for (std::int64_t row = 0; row < batch->rows(); ++row) {
      const auto seen = view(*batch, row);
      const auto found = rows.find(seen.id);
      if (found == rows.end()) {
        ++comparer.result.only_after;
        continue;
      }
      const auto& other = found->second;
      comparer.compare({other.sample_id, other.label, other.true_label, other.path, other.split}, seen);
      rows.erase(found);
    }
  }
  comparer.result.only_before = static_cast<std::int64_t>(rows.size());
}

}  // namespace

LabelDifference compare_label_sets(const std::filesystem::path& before, const std::filesystem::path& after,
                                   const std::function<void(const LabelChange&)>& each) {
  const LabelSetReader left(before), right(after);
  const auto& classes = left.info().classes;
  const auto& others = right.info().classes;
  if (classes.size() != others.size()) {
    throw Error(fmt::format("{} has {} classes and {} has {}: they cannot be compared", before.string(),
                            classes.size(), after.string(), others.size()));
  }
  for (std::size_t label = 0; label < classes.size(); ++label) {
    if (classes[label].name == others[label].name) continue;
    throw Error(fmt::format("class {} is '{}' in {} and '{}' in {}: they cannot be compared", label,
                            classes[label].name, before.string(), others[label].name, after.string()));
  }
  Comparer comparer(each);
  if (same_samples(before, after)) {
    side_by_side(before, after, comparer);
  } else {
    by_id(before, after, comparer);
  }
  comparer.result.rows_before = left.file_rows();
  comparer.result.rows_after = right.file_rows();
  return std::move(comparer.result);
}

}  // namespace procsim::noise
