#include "noise/verification.hpp"

#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "data/labels/label_set.hpp"

namespace procsim::noise {
namespace {

std::string named(const LabelSetInfo& info, std::optional<std::int32_t> label) {
  if (!label) return "null";
  if (*label == kUnlabelled) return "none";
  if (*label == kNoneOfThese) return "none of these";
  return fmt::format("{} '{}'", *label, info.classes[static_cast<std::size_t>(*label)].name);
}

struct Expected {
  std::int64_t id = 0;
  std::int32_t label = kUnlabelled;
  std::optional<std::int32_t> true_label;
  std::string path;
  std::string split;
};

class Comparison {
 public:
  Comparison(const std::filesystem::path& file, std::size_t max_reported)
      : file_(file), max_reported_(max_reported) {
    info_ = LabelSetReader(file).info();
  }

  // Compares in the parent's order. False as soon as an id stands elsewhere.
  bool lockstep(const NoisePlan& plan, const std::filesystem::path& parent, std::optional<RowRange> range,
                unsigned threads) {
    LabelSetReader reader(file_);
    auto found = reader.next();
    std::int64_t at = 0, row = 0;
    bool same_order = true;
    for_each_corrupted(plan, parent, range, threads, [&](const LabelBatch& expected) {
      for (std::int64_t i = 0; i < expected.rows() && same_order; ++i, ++at, ++row) {
        while (found && at == found->rows()) {
          found = reader.next();
          at = 0;
        }
        const auto id = expected.sample_ids()[static_cast<std::size_t>(i)];
        if (!found || found->sample_ids()[static_cast<std::size_t>(at)] != id) {
          same_order = false;
          return;
        }
        compare(*found, at, row,
                {id, expected.labels()[static_cast<std::size_t>(i)], expected.true_label(i), std::string(),
                 std::string()},
                expected.path(i), expected.split(i));
      }
    });
    while (found && at == found->rows()) {
      found = reader.next();
      at = 0;
    }
    result_.rows = row;
    return same_order && !found;
  }

  void by_id(const NoisePlan& plan, const std::filesystem::path& parent, std::optional<RowRange> range,
             unsigned threads) {
    result_ = {};
    std::unordered_map<std::int64_t, Expected> expected;
    for_each_corrupted(plan, parent, range, threads, [&](const LabelBatch& batch) {
      for (std::int64_t row = 0; row < batch.rows(); ++row) {
        const auto at = static_cast<std::size_t>(row);
        const auto id = batch.sample_ids()[at];
        expected[id] = {id, batch.labels()[at], batch.true_label(row), std::string(batch.path(row)),
                        std::string(batch.split(row))};
      }
    });
    LabelSetReader reader(file_);
    while (const auto batch = reader.next()) {
      for (std::int64_t at = 0; at < batch->rows(); ++at, ++result_.rows) {
        const auto id = batch->sample_ids()[static_cast<std::size_t>(at)];
        const auto found = expected.find(id);
        if (found == expected.end()) {
          report(result_.rows, id, "is not in the parent, or stands twice");
          continue;
        }
        compare(*batch, at, result_.rows, found->second, found->second.path, found->second.split);
        expected.erase(found);
      }
    }
    for (const auto& entry : expected) report(-1, entry.first, "is in the parent but not here");
  }

  void remark(std::string message) { result_.provenance.push_back(std::move(message)); }
  const LabelSetInfo& info() const { return info_; }
  Verification take() { return std::move(result_); }

 private:
  void report(std::int64_t row, std::int64_t id, std::string message) {
    ++result_.disagreements;
    if (result_.reported.size() < max_reported_) result_.reported.push_back({row, id, std::move(message)});
  }

  // Earlier programs left the truth of a foreign image empty.
  static bool replaced_before_version_2(const LabelBatch& batch, std::int64_t at, const Expected& expected) {
    return expected.true_label == kNoneOfThese && !batch.has_true_label(at);
  }

  void compare(const LabelBatch& batch, std::int64_t at, std::int64_t row, const Expected& expected,
               std::string_view path, std::string_view split) {
    const auto label = batch.labels()[static_cast<std::size_t>(at)];
    if (label != expected.label) {
      report(row, expected.id,
             fmt::format("label {}, expected {}", named(info_, label), named(info_, expected.label)));
    } else if (batch.true_label(at) != expected.true_label &&
               !replaced_before_version_2(batch, at, expected)) {
      report(row, expected.id,
             fmt::format("true label {}, expected {}", named(info_, batch.true_label(at)),
                         named(info_, expected.true_label)));
    } else if (batch.path(at) != path) {
      report(row, expected.id, fmt::format("path '{}', expected '{}'", batch.path(at), path));
    } else if (batch.split(at) != split) {
      report(row, expected.id, fmt::format("split '{}', expected '{}'", batch.split(at), split));
    }
  }

  std::filesystem::path file_;
  std::size_t max_reported_;
  LabelSetInfo info_;
  Verification result_;
};

void compare_counts(Comparison& comparison, const InjectionRecord& record, const SettledPlan& settled) {
  const auto& said = record.counts;
  const auto& made = settled.counts;
  const auto check = [&](std::string_view what, std::int64_t says, std::int64_t is) {
    if (says != is)
      comparison.remark(fmt::format("provenance says {} {}, the derivation gives {}", says, what, is));
  };
  check("rows", said.rows, made.rows);
  check("rows of the split", said.split_rows, made.split_rows);
  check("labelled rows", said.labelled, made.labelled);
  check("changed labels", said.changed, made.changed);
  check("foreign images", said.foreign, made.foreign);
  check("labels kept by the guard", said.guarded, made.guarded);
  check("labels kept from phantom classes", said.phantom, made.phantom);
  if (record.guard_events != settled.guard_events)
    comparison.remark("provenance names other guarded classes");
}

}  // namespace

Verification verify_injection(const std::filesystem::path& file, const InjectionRecord& record,
                              const std::filesystem::path& parent, const NoiseSources& sources,
                              std::size_t max_reported, unsigned threads, const Progress& progress) {
  Comparison comparison(file, max_reported);
  const LabelSetReader parent_reader(parent);
  const auto settled = settle(parent, record.spec, sources, threads, progress);
  std::optional<RowRange> range;
  const bool whole = std::filesystem::is_directory(file);  // all parts together
  if (record.shard && !whole) {
    range = {record.shard->first(parent_reader.file_rows()), record.shard->last(parent_reader.file_rows())};
  }
  if (!comparison.lockstep(settled.plan, parent, range, threads)) {
    comparison.by_id(settled.plan, parent, range, threads);
  }
  compare_counts(comparison, record, settled);
  if (comparison.info().classes != parent_reader.info().classes)
    comparison.remark("its classes are not the parent's");
  if (comparison.info().dataset != parent_reader.info().dataset)
    comparison.remark("its data set is not the parent's");
  if (record.spec.generation != injections_in(parent_reader.info().provenance) + 1) {
    comparison.remark("its generation is not the parent's plus one");
  }
  return comparison.take();
}

}  // namespace procsim::noise
