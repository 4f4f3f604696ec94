#include "noise/lints.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/base/words.hpp"
#include "data/labels/label_set.hpp"
#include "data/measures/intervals.hpp"
#include "noise/provenance.hpp"

namespace procsim::noise {
namespace {

constexpr double kFalseAlarm = 1e-6;
constexpr std::size_t kNamed = 5;  // how many offenders a message names

struct RowKey {
  std::int64_t id = 0;
  std::uint64_t path_hash = 0;
  std::uint32_t split = 0;
};

class Linter {
 public:
  Linter(const std::filesystem::path& path, const LintOptions& options, const Progress& progress)
      : options_(options) {
    LabelSetReader reader(path);
    info_ = reader.info();
    truth_.assign(info_.classes.size(), 0);
    given_.assign(info_.classes.size(), 0);
    rows_.reserve(static_cast<std::size_t>(reader.file_rows()));
    while (const auto batch = reader.next()) {
      for (std::int64_t row = 0; row < batch->rows(); ++row) add(*batch, row);
      if (progress) progress(rows_.size(), static_cast<std::uint64_t>(reader.file_rows()));
    }
  }

  std::vector<Lint> run() {
    duplicate_ids();
    paths();
    classes();
    rate();
    return std::move(lints_);
  }

 private:
  void add(const LabelBatch& batch, std::int64_t row) {
    const auto at = static_cast<std::size_t>(row);
    const auto label = batch.labels()[at];
    const auto truth = batch.true_label(row);
    rows_.push_back({batch.sample_ids()[at], std::hash<std::string_view>{}(batch.path(row)),
                     split_code(batch.split(row))});
    if (batch.split(row) != options_.split || label == kUnlabelled) return;
    ++given_[static_cast<std::size_t>(label)];
    if (!truth) {
      ++unknown_;
      return;
    }
    ++compared_;
    wrong_ += *truth == label ? 0 : 1;
    if (*truth == kNoneOfThese)
      ++none_of_these_;
    else
      ++truth_[static_cast<std::size_t>(*truth)];
  }

  std::uint32_t split_code(std::string_view name) {
    const auto found = std::find(splits_.begin(), splits_.end(), name);
    if (found != splits_.end()) return static_cast<std::uint32_t>(found - splits_.begin());
    splits_.emplace_back(name);
    return static_cast<std::uint32_t>(splits_.size() - 1);
  }

  void report(std::string check, std::int64_t count, std::string message) {
    lints_.push_back({std::move(check), count, std::move(message)});
  }

  void duplicate_ids() {
    std::sort(rows_.begin(), rows_.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    std::int64_t count = 0;
    std::set<std::int64_t> first;
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      if (rows_[i].id != rows_[i - 1].id) continue;
      ++count;
      if (first.size() < kNamed) first.insert(rows_[i].id);
    }
    if (count > 0)
      report("duplicate-id", count,
             fmt::format("{} sample ids stand twice: {}", count, fmt::join(first, ", ")));
  }

  void paths() {
    std::sort(rows_.begin(), rows_.end(), [](const auto& a, const auto& b) {
      return std::tie(a.path_hash, a.split, a.id) < std::tie(b.path_hash, b.split, b.id);
    });
    std::int64_t twice = 0, leaks = 0;
    std::vector<std::string> twice_ids, leak_ids;
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      if (rows_[i].path_hash != rows_[i - 1].path_hash) continue;
      const bool leak = rows_[i].split != rows_[i - 1].split;
      auto& names = leak ? leak_ids : twice_ids;
      ++(leak ? leaks : twice);
      if (names.size() < kNamed) names.push_back(fmt::format("{} and {}", rows_[i - 1].id, rows_[i].id));
    }
    if (twice > 0) {
      report(
          "duplicate-path", twice,
          fmt::format("{} images stand twice in one split: samples {}", twice, fmt::join(twice_ids, ", ")));
    }
    if (leaks > 0) {
      report("split-leak", leaks,
             fmt::format("{} images stand in two splits: samples {}", leaks, fmt::join(leak_ids, ", ")));
    }
  }

  void class_lint(std::string_view check, std::string_view what,
                  const std::function<bool(std::size_t)>& wrong) {
    std::vector<std::string> names;
    for (std::size_t label = 0; label < info_.classes.size(); ++label) {
      if (wrong(label)) names.push_back(fmt::format("{} '{}'", label, info_.classes[label].name));
    }
    if (names.empty()) return;
    report(std::string(check), static_cast<std::int64_t>(names.size()),
           fmt::format("{} {}: {}", names.size(), what, first_few(names, kNamed)));
  }

  void classes() {
    class_lint("missing-class", "classes of the split that no label names any more",
               [&](std::size_t label) { return truth_[label] > 0 && given_[label] == 0; });
    if (compared_ > 0 && unknown_ == 0) {
      class_lint("phantom-label", "labels that no sample of the split truly has",
                 [&](std::size_t label) { return given_[label] > 0 && truth_[label] == 0; });
    }
    class_lint("singleton", "labels that a single sample carries",
               [&](std::size_t label) { return given_[label] == 1; });
  }

  void rate() {
    auto claimed = options_.rate;
    auto observed = wrong_;
    auto trials = compared_;
    if (!claimed && is_injection(info_.provenance)) {
      const auto record = injection_record(info_.provenance, "the file");
      const auto& spec = record.spec;
      const bool drawn = !spec.has(NoiseKind::kReplay) && !spec.has(NoiseKind::kMatrix) &&
                         spec.class_rates.empty() && !spec.exact && spec.generation == 1 &&
                         spec.classes.empty();
      // What guards and missing targets kept was drawn all the same.
      if (!drawn) return;
      claimed = spec.rate();
      // Foreign images are counted from the record: earlier programs left their truth empty.
      observed = wrong_ - none_of_these_ + record.counts.foreign + record.counts.guarded +
                 record.counts.phantom + record.counts.no_target;
      trials = compared_ - none_of_these_ + record.counts.foreign;
    }
    if (!claimed || trials == 0) return;
    const double p = binomial_p_value(observed, trials, *claimed);
    if (p >= kFalseAlarm) return;
    report(
        "rate", observed,
        fmt::format(
            "{} of {} labels are wrong ({:.4f}) where {} was claimed: chance does this once in {:.0e} times",
            observed, trials, static_cast<double>(observed) / static_cast<double>(trials), *claimed,
            1 / std::max(p, 1e-300)));
  }

  LintOptions options_;
  LabelSetInfo info_;
  std::vector<std::int64_t> truth_, given_;
  std::vector<RowKey> rows_;
  std::vector<std::string> splits_;
  std::int64_t compared_ = 0, wrong_ = 0, none_of_these_ = 0, unknown_ = 0;
  std::vector<Lint> lints_;
};

}  // namespace

std::vector<Lint> lint_label_set(const std::filesystem::path& path, const LintOptions& options,
                                 const Progress& progress) {
  return Linter(path, options, progress).run();
}

}  // namespace procsim::noise
