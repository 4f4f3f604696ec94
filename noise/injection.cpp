#include "noise/injection.hpp"

#include <algorithm>
#include <future>
#include <memory>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/base/error.hpp"
#include "data/files/file_changes.hpp"
#include "data/files/file_name.hpp"
#include "noise/batch_pipeline.hpp"
#include "noise/provenance.hpp"

namespace procsim::noise {
namespace {

// Progress over several passes: each moves the bar by its share of the work.
class PassProgress {
 public:
  PassProgress(const Progress& progress, std::uint64_t rows) : progress_(progress), rows_(rows) {}
  void begin(std::uint64_t passes_left) { total_ = done_ + passes_left * rows_; }
  void advance(std::int64_t rows) {
    done_ += static_cast<std::uint64_t>(rows);
    if (progress_) progress_(done_, std::max(total_, done_));
  }

 private:
  const Progress& progress_;
  std::uint64_t rows_;
  std::uint64_t done_ = 0, total_ = 0;
};

LabelReadOptions narrow() {
  LabelReadOptions options;
  options.paths = false;
  options.true_labels = false;
  return options;
}

bool in_split(const LabelBatch& batch, std::int64_t row, const std::string& split) {
  return batch.split(row) == split;
}

struct BatchCensus {
  std::vector<std::int64_t> counts;
  std::int64_t rows = 0;
};

ClassCensus take_census(const std::filesystem::path& parent, const NoiseSpec& spec, unsigned threads,
                        PassProgress& progress) {
  auto read = narrow();
  read.unique_ids = true;  // here, where every row is met once: draws are keyed by the id
  LabelSetReader reader(parent, read);
  const auto classes = reader.info().classes.size();
  ClassCensus census{std::vector<std::int64_t>(classes, 0), 0};
  std::set<std::string> splits;
  BatchPipeline<std::pair<BatchCensus, std::set<std::string>>>::run(
      reader, threads,
      [&](const LabelBatch& batch) {
        std::pair<BatchCensus, std::set<std::string>> result{{std::vector<std::int64_t>(classes, 0), 0}, {}};
        const auto labels = batch.labels();
        for (std::int64_t row = 0; row < batch.rows(); ++row) {
          if (!in_split(batch, row, spec.split)) {
            if (result.second.size() < 8) result.second.emplace(batch.split(row));
            continue;
          }
          ++result.first.rows;
          const auto label = labels[static_cast<std::size_t>(row)];
          if (label >= 0) ++result.first.counts[static_cast<std::size_t>(label)];
        }
        return result;
      },
      [&](const LabelBatch& batch, auto&& result) {
        for (std::size_t label = 0; label < classes; ++label)
          census.counts[label] += result.first.counts[label];
        census.rows += result.first.rows;
        splits.merge(result.second);
        progress.advance(batch.rows());
      });
  if (census.rows == 0) {
    throw Error(fmt::format("{} has no split '{}'; it has {}", parent.string(), spec.split,
                            splits.empty() ? "no rows" : fmt::format("{}", fmt::join(splits, ", "))));
  }
  return census;
}

void settle_exact_counts(NoisePlan& plan, const std::filesystem::path& parent, unsigned threads,
                         PassProgress& progress) {
  auto statistics = plan.order_statistics();
  do {
    LabelSetReader reader(parent, narrow());
    using Ranks = std::vector<std::pair<std::size_t, Rank>>;
    BatchPipeline<Ranks>::run(
        reader, threads,
        [&](const LabelBatch& batch) {
          Ranks ranks;
          for (std::int64_t row = 0; row < batch.rows(); ++row) {
            const auto at = static_cast<std::size_t>(row);
            const auto label = batch.labels()[at];
            if (!plan.eligible(label) || !in_split(batch, row, plan.spec().split)) continue;
            ranks.emplace_back(plan.group_of(label), plan.rank(batch.sample_ids()[at]));
          }
          return ranks;
        },
        [&](const LabelBatch& batch, Ranks&& ranks) {
          for (const auto& [group, rank] : ranks) statistics.add(group, rank);
          progress.advance(batch.rows());
        });
  } while (!statistics.finish_pass());
  plan.set_cutoffs(statistics);
}

// Counts fates, and remembers what guards and foreign images need.
class FateLedger {
 public:
  explicit FateLedger(const NoisePlan& plan)
      : plan_(plan), guard_(plan.census().counts, plan.spec().min_per_class) {
    counts_.split_rows = plan.census().rows;
    counts_.labelled = plan.census().labelled();
    counts_.by_component.assign(plan.spec().components.size(), 0);
  }

  void add_rows(std::int64_t rows) { counts_.rows += rows; }

  void add(std::int64_t id, std::int32_t label, const Fate& fate) {
    switch (fate.what) {
      case Fate::What::kKept:
        return;
      case Fate::What::kNoTarget:
        ++counts_.no_target;
        return;
      case Fate::What::kPhantom:
        ++counts_.phantom;
        return;
      case Fate::What::kGuarded:
        ++counts_.guarded;
        return;
      case Fate::What::kChanged:
        ++counts_.changed;
        break;
      case Fate::What::kForeign:
        ++counts_.foreign;
        foreign_.push_back(plan_.rank(id));
        break;
    }
    ++counts_.by_component[fate.component];
    if (!plan_.spec().guards) return;
    guard_.add({plan_.rank(id), label, fate.what == Fate::What::kChanged ? fate.label : kUnlabelled});
  }

  CountGuard::Outcome resolve_guard() {
    return plan_.spec().guards ? guard_.resolve() : CountGuard::Outcome{};
  }
  const InjectionCounts& counts() const { return counts_; }
  std::vector<Rank> take_foreign() { return std::move(foreign_); }

 private:
  const NoisePlan& plan_;
  CountGuard guard_;
  InjectionCounts counts_;
  std::vector<Rank> foreign_;
};

// The fates of a batch's rows that are not simply kept.
struct BatchFates {
  struct Entry {
    std::int64_t row = 0;
    Fate fate;
  };
  std::vector<Entry> entries;
};

BatchFates fates_of(const NoisePlan& plan, const LabelBatch& batch) {
  BatchFates fates;
  const auto ids = batch.sample_ids();
  const auto labels = batch.labels();
  for (std::int64_t row = 0; row < batch.rows(); ++row) {
    const auto at = static_cast<std::size_t>(row);
    if (!plan.eligible(labels[at]) || !in_split(batch, row, plan.spec().split)) continue;
    const auto fate = plan.fate(ids[at], labels[at]);
    if (fate.what != Fate::What::kKept) fates.entries.push_back({row, fate});
  }
  return fates;
}

void count_fates(FateLedger& ledger, const LabelBatch& batch, const BatchFates& fates) {
  ledger.add_rows(batch.rows());
  for (const auto& [row, fate] : fates.entries) {
    const auto at = static_cast<std::size_t>(row);
    ledger.add(batch.sample_ids()[at], batch.labels()[at], fate);
  }
}

FateLedger count_all(const NoisePlan& plan, const std::filesystem::path& parent, unsigned threads,
                     PassProgress& progress) {
  FateLedger ledger(plan);
  LabelSetReader reader(parent, narrow());
  BatchPipeline<BatchFates>::run(
      reader, threads, [&](const LabelBatch& batch) { return fates_of(plan, batch); },
      [&](const LabelBatch& batch, BatchFates&& fates) {
        count_fates(ledger, batch, fates);
        progress.advance(batch.rows());
      });
  return ledger;
}

// Counts, settles the guard when it binds, and counts again.
SettledPlan settle_fates(NoisePlan plan, const std::filesystem::path& parent, unsigned threads,
                         PassProgress& progress) {
  auto ledger = count_all(plan, parent, threads, progress);
  const auto outcome = ledger.resolve_guard();
  auto counts = ledger.counts();
  auto foreign = ledger.take_foreign();
  if (!outcome.events.empty()) {
    plan.set_guard(outcome);
    auto again = count_all(plan, parent, threads, progress);
    counts = again.counts();
    foreign = again.take_foreign();
  }
  if (plan.spec().has(NoiseKind::kOpenSet)) plan.assign_images(std::move(foreign));
  return {std::move(plan), std::move(counts), outcome.events};
}

// The batch as it is written.
LabelBatch corrupted(const NoisePlan& plan, const LabelBatch& batch, const BatchFates& fates) {
  std::vector<std::int32_t> labels(batch.labels().begin(), batch.labels().end());
  std::vector<std::int32_t> true_labels(labels.size(), kUnlabelled);
  for (std::int64_t row = 0; row < batch.rows(); ++row) {
    const auto at = static_cast<std::size_t>(row);
    if (batch.has_true_label(row)) {
      true_labels[at] = *batch.true_label(row);
    } else if (plan.trust_labels() && in_split(batch, row, plan.spec().split)) {
      true_labels[at] = labels[at];  // nobody has changed it yet
    }
  }
  std::map<std::int64_t, const std::string*> paths;
  for (const auto& [row, fate] : fates.entries) {
    const auto at = static_cast<std::size_t>(row);
    if (fate.what == Fate::What::kChanged) labels[at] = fate.label;
    if (fate.what != Fate::What::kForeign) continue;
    true_labels[at] = kNoneOfThese;
    paths[row] = &plan.foreign_path(batch.sample_ids()[at]);
  }
  if (paths.empty()) return batch.relabelled(std::move(labels), std::move(true_labels));
  std::vector<LabelRow> rows;
  rows.reserve(static_cast<std::size_t>(batch.rows()));
  for (std::int64_t row = 0; row < batch.rows(); ++row) {
    const auto at = static_cast<std::size_t>(row);
    const auto foreign = paths.find(row);
    LabelRow out{batch.sample_ids()[at],
                 foreign == paths.end() ? std::string(batch.path(row)) : *foreign->second,
                 std::string(batch.split(row)), labels[at], std::nullopt};
    if (true_labels[at] != kUnlabelled) out.true_label = true_labels[at];
    rows.push_back(std::move(out));
  }
  return make_label_batch(rows);
}

// Writes the whole file in one go, counting as it goes; the file does not appear before finish().
FateLedger write_all(const NoisePlan& plan, const InjectionOptions& options, LabelSetWriter& writer,
                     PassProgress& progress) {
  FateLedger ledger(plan);
  LabelSetReader reader(options.parent);
  BatchPipeline<std::pair<BatchFates, std::optional<LabelBatch>>>::run(
      reader, options.threads,
      [&](const LabelBatch& batch) {
        std::pair<BatchFates, std::optional<LabelBatch>> result{fates_of(plan, batch), std::nullopt};
        result.second = corrupted(plan, batch, result.first);
        return result;
      },
      [&](const LabelBatch& batch, auto&& result) {
        count_fates(ledger, batch, result.first);
        writer.append(*result.second);
        progress.advance(batch.rows());
      });
  return ledger;
}

}  // namespace

void for_each_corrupted(const NoisePlan& plan, const std::filesystem::path& parent,
                        std::optional<RowRange> rows, unsigned threads,
                        const std::function<void(const LabelBatch&)>& consume) {
  LabelReadOptions read;
  read.rows = rows;
  LabelSetReader reader(parent, read);
  BatchPipeline<std::optional<LabelBatch>>::run(
      reader, threads,
      [&](const LabelBatch& batch) { return std::optional(corrupted(plan, batch, fates_of(plan, batch))); },
      [&](const LabelBatch&, std::optional<LabelBatch>&& out) { consume(*out); });
}

std::int64_t Shard::first(std::int64_t rows) const { return (index - 1) * rows / count; }
std::int64_t Shard::last(std::int64_t rows) const { return index * rows / count; }

SettledPlan settle(const std::filesystem::path& parent, const NoiseSpec& spec, const NoiseSources& sources,
                   unsigned threads, const Progress& report) {
  PassProgress progress(report, static_cast<std::uint64_t>(LabelSetReader(parent, narrow()).file_rows()));
  progress.begin(spec.exact ? 3 : 2);
  NoisePlan plan(spec, take_census(parent, spec, threads, progress), sources);
  plan.set_trust_labels(!has_foreign_images(LabelSetReader(parent, narrow()).info().provenance));
  if (spec.exact) settle_exact_counts(plan, parent, threads, progress);
  return settle_fates(std::move(plan), parent, threads, progress);
}

InjectionReport inject(const InjectionOptions& options, const NoiseSources& sources) {
  FileChanges files;
  auto report = inject(options, sources, files);
  files.replace();
  files.keep();
  return report;
}

InjectionReport inject(const InjectionOptions& options, const NoiseSources& sources, FileChanges& files) {
  auto spec = options.spec;
  LabelSetInfo info;
  std::int64_t file_rows = 0;
  {
    const LabelSetReader reader(options.parent, narrow());
    info = reader.info();
    file_rows = reader.file_rows();
  }
  spec.generation = injections_in(info.provenance) + 1;
  // The output is claimed first: an existing file or a read-only folder is said before any work.
  auto writer = std::make_unique<LabelSetWriter>(options.output, options.if_exists);
  auto digest = std::async(std::launch::async, [&] { return parts_digest(options.parent); });

  PassProgress progress(options.progress, static_cast<std::uint64_t>(file_rows));
  const bool ahead =
      options.shard || spec.has(NoiseKind::kOpenSet);  // fates of all rows before the first is written
  progress.begin(2 + (spec.exact ? 1 : 0) + (ahead ? 1 : 0));
  NoisePlan plan(spec, take_census(options.parent, spec, options.threads, progress), sources);
  plan.set_trust_labels(!has_foreign_images(info.provenance));
  if (spec.exact) settle_exact_counts(plan, options.parent, options.threads, progress);

  InjectionReport report;
  report.classes_without_target = plan.classes_without_target();
  if (ahead) {
    auto settled = settle_fates(std::move(plan), options.parent, options.threads, progress);
    const auto first = options.shard ? options.shard->first(file_rows) : 0;
    const auto last = options.shard ? options.shard->last(file_rows) : file_rows;
    for_each_corrupted(settled.plan, options.parent, RowRange{first, last}, options.threads,
                       [&](const LabelBatch& batch) {
                         writer->append(batch);
                         progress.advance(batch.rows());
                       });
    report.counts = std::move(settled.counts);
    report.guard_events = std::move(settled.guard_events);
    report.written_rows = last - first;
  } else {
    // A guard rarely binds, so write at once and start over in the rare case.
    auto ledger = std::make_unique<FateLedger>(write_all(plan, options, *writer, progress));
    const auto outcome = ledger->resolve_guard();
    if (!outcome.events.empty()) {
      plan.set_guard(outcome);
      writer.reset();
      writer = std::make_unique<LabelSetWriter>(options.output, options.if_exists);
      progress.begin(1);
      ledger = std::make_unique<FateLedger>(write_all(plan, options, *writer, progress));
    }
    report.counts = ledger->counts();
    report.guard_events = outcome.events;
    report.written_rows = file_rows;
  }
  info.provenance = injection_provenance(spec, options, report, info, digest.get());
  report.digest = writer->finish(info, files);
  report.info = std::move(info);
  return report;
}

}  // namespace procsim::noise
