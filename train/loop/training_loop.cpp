#include "train/loop/training_loop.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/prefetcher.hpp"
#include "data/files/atomic_file.hpp"
#include "train/loop/run_reports.hpp"
#include "train/metrics/evaluation.hpp"
#include "train/scoring/label_scores.hpp"

namespace procsim::train {
namespace {

// Draws of further views lie beyond all draws of first ones.
constexpr std::int64_t kViewStride = std::int64_t{1} << 40;

SamplerOptions sampler_options(const TrainConfig& config) {
  return {.batch = config.batch, .per_class = config.per_class, .seed = config.seed};
}

}  // namespace

TrainingLoop::TrainingLoop(const LoopContext& context, std::vector<std::uint8_t> wrong)
    : context_(context),
      sampler_(context.data.train_class, sampler_options(context.config)),
      test_labels_(context.data.test_labels()),
      ids_(context.data.train_ids()),
      distances_(class_distances_of(context.data, context.data.taxonomy.get())),
      meter_(context.method.quantities(), context.data.train.size(), std::move(wrong)) {}

void TrainingLoop::start(const std::function<void()>& saved_first) {
  context_.method.start(training_set());
  EpochRecord record;
  add_evaluation(record);
  state_.records.push_back(std::move(record));
  remember_best(state_.records.back());
  save();
  if (saved_first) saved_first();
  save_best();
  write_page();
  report_epoch();
}

void TrainingLoop::resume() {
  restore_checkpoint(context_.files.last(), context_.inputs, state_, meter_, context_.method);
  write_page();
}

bool TrainingLoop::run() {
  started_ = std::chrono::steady_clock::now();
  while (state_.epoch < context_.config.epochs)
    if (!run_epoch()) return false;
  return true;
}

bool TrainingLoop::stop_asked() const {
  return processes().any(context_.observer.stop != nullptr && context_.observer.stop->load());
}

TrainingSet TrainingLoop::training_set() const {
  TrainingSet set;
  set.epoch = state_.epoch;
  set.labels = context_.data.train_class;
  set.classes = static_cast<std::int64_t>(context_.data.classes.size());
  set.ids = ids_;
  set.distances = &distances_;
  set.embeddings = [this] {
    return embed_all(context_.method.evaluated(), *context_.session.train_inputs,
                     context_.session.embed_options(context_.config));
  };
  return set;
}

bool TrainingLoop::run_epoch() {
  auto& step = state_.step;
  if (step == 0) {
    context_.method.begin_epoch(training_set());
    meter_.add_set(context_.method.set_columns());
  }
  const auto plan = sampler_.epoch(state_.epoch);
  const auto steps = static_cast<std::int64_t>(plan.size());
  const auto& session = context_.session;
  const auto samples_of = [&](std::int64_t index) -> const auto& {
    return plan[static_cast<std::size_t>(index)];
  };
  Prefetcher<std::vector<torch::Tensor>> inputs(
      step, steps, session.workers, 2 * session.workers + 1,
      [&](std::int64_t index) { return views_of(samples_of(index), state_.epoch * steps + index); });
  while (step < steps) {
    run_step(batch_of(samples_of(step), std::move(*inputs.next())));
    ++step;
    report_step(steps);
    if (step < steps && stop_asked()) {
      save();
      return false;
    }
    const auto every = context_.machine.checkpoint_steps;
    if (every > 0 && step % every == 0 && step < steps) save();
  }
  finish_epoch();
  return !stop_asked() || state_.epoch >= context_.config.epochs;
}

// All processes plan the same batches; each decodes its slice. A sample's augmentation depends on its place
// in the batch, not on who decodes it.
std::vector<torch::Tensor> TrainingLoop::views_of(const std::vector<std::int64_t>& samples,
                                                  std::int64_t draw) const {
  const auto size = static_cast<std::int64_t>(samples.size());
  const auto own = processes().slice(size);
  const auto mine =
      std::span(samples).subspan(static_cast<std::size_t>(own.first), static_cast<std::size_t>(own.count));
  std::vector<torch::Tensor> views;
  for (std::int64_t view = 0; view < context_.method.views(); ++view)
    views.push_back(
        context_.session.train_inputs->augmented(mine, (view * kViewStride + draw) * size + own.first));
  return views;
}

Batch TrainingLoop::batch_of(const std::vector<std::int64_t>& samples,
                             std::vector<torch::Tensor> views) const {
  std::vector<std::int64_t> labels;
  for (const auto sample : samples)
    labels.push_back(context_.data.train_class[static_cast<std::size_t>(sample)]);
  Batch batch;
  batch.samples = samples;
  batch.labels = torch::tensor(labels, torch::kInt64);
  batch.views = std::move(views);
  batch.stage = context_.session.train_inputs->stage();
  batch.epoch = state_.epoch;
  batch.step = state_.step;
  return batch;
}

void TrainingLoop::run_step(const Batch& batch) {
  const auto outcome = context_.method.step(batch);
  if (!std::isfinite(outcome.objective)) stop_at_nan(batch, outcome);
  meter_.add(batch.samples, outcome);
}

void TrainingLoop::stop_at_nan(const Batch& batch, const StepOutcome& outcome) const {
  std::string list = "sample_id,path";
  for (const auto& [name, values] : outcome.columns) list += "," + name;
  list += '\n';
  for (std::size_t i = 0; i < batch.samples.size(); ++i) {
    const auto& sample = context_.data.train[static_cast<std::size_t>(batch.samples[i])];
    list += fmt::format("{},{}", sample.id, sample.path);
    for (const auto& [name, values] : outcome.columns) list += fmt::format(",{}", values[i]);
    list += '\n';
  }
  const auto path = context_.files.folder / "failed_batch.csv";
  if (processes().first()) write_file(path, list, IfExists::kReplace);
  throw Error(
      fmt::format("the loss is {} in epoch {}, step {}: the batch is in {}. Lower --lr, or resume from the "
                  "last checkpoint with other settings.",
                  outcome.objective, state_.epoch + 1, state_.step + 1, path.string()));
}

void TrainingLoop::report_step(std::int64_t steps) {
  if (!context_.observer.step) return;
  ++steps_done_;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  const auto left = static_cast<double>((context_.config.epochs - state_.epoch) * steps - state_.step);
  StepReport report;
  report.epoch = state_.epoch + 1;
  report.epochs = context_.config.epochs;
  report.step = state_.step;
  report.steps = steps;
  report.images_per_second =
      static_cast<double>(steps_done_ * context_.config.batch) / std::max(seconds, 1e-9);
  report.loss = meter_.objective();
  report.means = meter_.means();
  report.seconds_left = left * seconds / static_cast<double>(steps_done_);
  context_.observer.step(report);
}

void TrainingLoop::finish_epoch() {
  const auto& config = context_.config;
  EpochRecord record;
  record.epoch = ++state_.epoch;
  state_.step = 0;
  meter_.finish(record);
  if (state_.epoch % config.eval_every == 0 || state_.epoch == config.epochs) add_evaluation(record);
  state_.records.push_back(std::move(record));
  const bool best = remember_best(state_.records.back());
  save();
  if (best) save_best();
  write_page();
  report_epoch();
}

void TrainingLoop::report_epoch() const {
  if (context_.observer.epoch) context_.observer.epoch(state_.records.back(), meter_.quantities());
}

void TrainingLoop::add_evaluation(EpochRecord& record) {
  if (context_.data.test.empty()) return;
  const auto embeddings = embed_all(context_.method.evaluated(), *context_.session.test_inputs,
                                    context_.session.embed_options(context_.config));
  for (const auto& metric : evaluate_embeddings(embeddings, test_labels_, context_.config))
    record.metrics.push_back(metric);
}

// The best epoch has the highest first Recall@K; without a test split it is the last one.
bool TrainingLoop::remember_best(const EpochRecord& record) {
  const auto& recall_at = context_.config.recall_at;
  const double* recall =
      recall_at.empty() ? nullptr : record.find("recall@" + std::to_string(recall_at.front()));
  const bool better = context_.data.test.empty() || (recall != nullptr && *recall > state_.best_recall);
  if (!better) return false;
  if (recall != nullptr) state_.best_recall = *recall;
  state_.best_epoch = record.epoch;
  return true;
}

void TrainingLoop::save() {
  if (processes().first())
    save_checkpoint(context_.files.last(), context_.config, context_.inputs, state_, meter_, context_.method);
  processes().any(false);
}

void TrainingLoop::save_best() {
  if (processes().first())
    save_model(context_.files.best(), context_.config, state_.epoch, context_.method.evaluated());
}

void TrainingLoop::write_page(const GuidanceView* guidance) const {
  if (!processes().first()) return;
  const RunSummary run{context_.files.folder.filename().string(), context_.method_line, meter_.quantities()};
  write_reports(context_.files, run, context_.config, context_.data, state_.records, guidance);
}

}  // namespace procsim::train
