#include "train/runs/trainer.hpp"

#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/prefetcher.hpp"
#include "data/files/atomic_file.hpp"
#include "data/measures/detection.hpp"
#include "train/guidance/guidance_view.hpp"
#include "train/guidance/pseudo_labels.hpp"
#include "train/inputs/session.hpp"
#include "train/metrics/evaluation.hpp"
#include "train/reports/event_file.hpp"
#include "train/reports/run_page.hpp"
#include "train/runs/learner.hpp"
#include "train/runs/run_scores.hpp"
#include "train/samples/sampler.hpp"

namespace procsim::train {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::int64_t kHistogramBins = 48;
constexpr std::int64_t kPcaSamples = 10000;

class Trainer {
 public:
  Trainer(const TrainConfig& config, const TrainData& data, const RunFiles& files,
          const MachineOptions& machine, const TrainObserver& observer)
      : config_(config), data_(data), files_(files), machine_(machine), observer_(observer) {
    sampler_ = std::make_unique<ClassBalancedSampler>(
        data.train_class,
        SamplerOptions{.batch = config.batch, .per_class = config.per_class, .seed = config.seed});
    guidance_ = open_guidance(config, data, machine, observer);
    session_ = open_session(config, data, machine, observer);
    if (data.truth_known())
      for (const auto& sample : data.train) wrong_.push_back(*sample.true_label != sample.label);
    if (config.confidence == "oracle" && wrong_.empty())
      throw UsageError("--confidence oracle needs true labels, which this label set does not have");
    test_labels_ = data.test_labels();
    proxy_loss_.assign(data.train.size(), std::numeric_limits<float>::quiet_NaN());
    sigma_.assign(data.train.size(), 1.0F);
  }

  TrainResult run(bool resume, RunEnd end) {
    if (resume) {
      open_inputs();
      make_learner();
      restore();
    } else {
      if (session_.first_stage > 0) open_inputs();
      initialise_head();
      if (!session_.train_inputs) open_inputs();
      make_learner();
      start_proxies();
      records_.push_back(record_of_start());
      remember_best(records_.back());
      save(files_.last());
      save_model(files_.best());
      write_reports();
      if (observer_.epoch) observer_.epoch(records_.back());
    }
    started_ = std::chrono::steady_clock::now();
    while (epoch_ < config_.epochs) {
      if (!run_epoch()) return {false, records_, best_epoch_};
    }
    if (end == RunEnd::kModelOnly) return {true, records_, best_epoch_};
    if (guidance_) view_guidance();
    const bool scored =
        write_run_scores(config_, data_, files_, machine_, session_, {proxy_loss_, sigma_}, observer_);
    return {scored, records_, best_epoch_};
  }

 private:
  bool stop_asked() const { return observer_.stop != nullptr && observer_.stop->load(); }
  Progress progress(std::string_view what) const {
    return observer_.progress ? observer_.progress(what) : Progress{};
  }

  void open_inputs() { prepare_inputs(session_, config_, machine_, observer_); }
  void make_learner() {
    learner_ = std::make_unique<Learner>(config_, *session_.model,
                                         static_cast<std::int64_t>(data_.classes.size()), session_.device);
  }

  void initialise_head() {
    const bool pca = config_.head_init == "pca" || (config_.head_init == "auto" && session_.pretrained);
    if (!pca) return;
    const InputSource& inputs = session_.train_inputs ? *session_.train_inputs : *session_.train_images;
    auto features =
        features_of_all(*session_.model, inputs, session_.embed_options(config_, progress("features")));
    if (features.size(0) > kPcaSamples)
      features = features.slice(0, 0, features.size(0), features.size(0) / kPcaSamples);
    session_.model->set_pca_head(features);
  }

  void start_proxies() {
    if (config_.proxy_init != "means") return;
    const torch::NoGradGuard no_gradients;
    const auto embeddings =
        embed_all(*session_.model, *session_.train_inputs, session_.embed_options(config_));
    const auto classes = static_cast<std::int64_t>(data_.classes.size());
    auto means = torch::zeros({classes, embeddings.size(1)});
    means.index_add_(0, torch::tensor(data_.train_class, torch::kInt64), embeddings);
    learner_->proxies().proxies().copy_(torch::nn::functional::normalize(means));
  }

  EpochRecord record_of_start() {
    EpochRecord record;
    record.proxy_loss = empty_histogram(0, 1);
    record.sigma = empty_histogram(0, 1);
    add_evaluation(record);
    return record;
  }

  static Histogram empty_histogram(double from, double to) {
    Histogram histogram{from, to, {}, {}};
    histogram.clean.assign(kHistogramBins, 0);
    histogram.noisy.assign(kHistogramBins, 0);
    return histogram;
  }

  // The confidence of every sample for the coming epoch, where it comes from the whole set.
  void judge_samples() {
    const auto embeddings =
        embed_all(*session_.model, *session_.train_inputs, session_.embed_options(config_));
    set_confidence_ =
        class_means_confidence(embeddings, data_.train_class, static_cast<std::int64_t>(data_.classes.size()),
                               config_.proxy_scale, learner_->rule());
  }

  std::optional<SetConfidence> known_confidence(const std::vector<std::int64_t>& samples) const {
    if (!set_confidence_) return std::nullopt;
    SetConfidence known;
    known.confidence.threshold = set_confidence_->confidence.threshold;
    for (const auto sample : samples) {
      const auto i = static_cast<std::size_t>(sample);
      known.losses.push_back(set_confidence_->losses[i]);
      known.confidence.sigma.push_back(set_confidence_->confidence.sigma[i]);
      known.confidence.above.push_back(set_confidence_->confidence.above[i]);
    }
    return known;
  }

  bool run_epoch() {
    const auto plan = sampler_->epoch(epoch_);
    learner_->trust_all(epoch_ < config_.warmup);
    if (config_.confidence_from == "class-means" && step_ == 0) judge_samples();
    const auto steps = static_cast<std::int64_t>(plan.size());
    Prefetcher<torch::Tensor> inputs(step_, steps, session_.workers, 2 * session_.workers + 1,
                                     [&](std::int64_t step) {
                                       return session_.train_inputs->augmented(
                                           plan[static_cast<std::size_t>(step)], epoch_ * steps + step);
                                     });
    while (step_ < steps) {
      run_step(plan[static_cast<std::size_t>(step_)], *inputs.next());
      ++step_;
      report_step(steps);
      if (stop_asked() && step_ < steps) {
        save(files_.last());
        return false;
      }
      if (machine_.checkpoint_steps > 0 && step_ % machine_.checkpoint_steps == 0 && step_ < steps)
        save(files_.last());
    }
    finish_epoch();
    if (stop_asked() && epoch_ < config_.epochs) return false;
    return true;
  }

  void run_step(const std::vector<std::int64_t>& samples, const torch::Tensor& input) {
    std::vector<std::int64_t> labels;
    std::vector<std::uint8_t> wrong;
    for (const auto sample : samples) {
      labels.push_back(data_.train_class[static_cast<std::size_t>(sample)]);
      if (!wrong_.empty()) wrong.push_back(wrong_[static_cast<std::size_t>(sample)]);
    }
    const auto known = known_confidence(samples);
    const auto result =
        learner_->step(input, session_.train_inputs->stage(), torch::tensor(labels, torch::kInt64), wrong,
                       known ? &*known : nullptr, guidance_ ? (*guidance_)(samples) : torch::Tensor());
    if (!std::isfinite(result.loss)) stop_at_nan(samples, result);
    ++tally_.steps;
    tally_.loss += result.loss;
    if (result.threshold) {
      ++tally_.thresholds;
      tally_.threshold += *result.threshold;
    }
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const auto sample = static_cast<std::size_t>(samples[i]);
      const bool accused = result.above[i] != 0;
      ++tally_.samples;
      tally_.proxy_loss += result.proxy_loss[i];
      tally_.sigma += result.sigma[i];
      tally_.below += !accused;
      if (!wrong.empty()) tally_.detection.add(accused, wrong[i] != 0);
      proxy_loss_[sample] = static_cast<float>(result.proxy_loss[i]);
      sigma_[sample] = static_cast<float>(result.sigma[i]);
    }
  }

  [[noreturn]] void stop_at_nan(const std::vector<std::int64_t>& samples, const StepResult& result) {
    std::string list = "sample_id,path,proxy_loss\n";
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const auto& sample = data_.train[static_cast<std::size_t>(samples[i])];
      list += fmt::format("{},{},{}\n", sample.id, sample.path, result.proxy_loss[i]);
    }
    const auto path = files_.folder / "failed_batch.csv";
    write_file(path, list, IfExists::kReplace);
    throw Error(
        fmt::format("the loss is {} in epoch {}, step {}: the batch is in {}. Lower --lr, or resume from the "
                    "last checkpoint with other settings.",
                    result.loss, epoch_ + 1, step_ + 1, path.string()));
  }

  void report_step(std::int64_t steps) {
    if (!observer_.step) return;
    ++steps_done_;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    const auto samples = static_cast<double>(tally_.samples);
    const auto left = static_cast<double>((config_.epochs - epoch_) * steps - step_);
    StepReport report;
    report.epoch = epoch_ + 1;
    report.epochs = config_.epochs;
    report.step = step_;
    report.steps = steps;
    report.images_per_second = static_cast<double>(steps_done_ * config_.batch) / std::max(seconds, 1e-9);
    report.loss = tally_.loss / static_cast<double>(tally_.steps);
    report.mean_sigma = tally_.sigma / samples;
    report.share_below = static_cast<double>(tally_.below) / samples;
    report.seconds_left = left * seconds / static_cast<double>(steps_done_);
    observer_.step(report);
  }

  void finish_epoch() {
    EpochRecord record;
    record.epoch = ++epoch_;
    step_ = 0;
    add_training(record);
    if (epoch_ % config_.eval_every == 0 || epoch_ == config_.epochs) add_evaluation(record);
    tally_ = {};
    records_.push_back(std::move(record));
    const bool best = remember_best(records_.back());
    save(files_.last());
    if (best) save_model(files_.best());
    write_reports();
    if (observer_.epoch) observer_.epoch(records_.back());
  }

  void add_training(EpochRecord& record) {
    const auto samples = static_cast<double>(tally_.samples);
    auto& metrics = record.metrics;
    metrics.emplace_back("loss", tally_.loss / static_cast<double>(tally_.steps));
    metrics.emplace_back("proxy_loss", tally_.proxy_loss / samples);
    metrics.emplace_back("sigma", tally_.sigma / samples);
    if (tally_.thresholds > 0)
      metrics.emplace_back("threshold", tally_.threshold / static_cast<double>(tally_.thresholds));
    metrics.emplace_back("share_below", static_cast<double>(tally_.below) / samples);

    std::vector<double> losses;
    std::vector<std::uint8_t> wrong;
    double largest = 0;
    for (std::size_t i = 0; i < proxy_loss_.size(); ++i) {
      if (std::isnan(proxy_loss_[i])) continue;
      losses.push_back(proxy_loss_[i]);
      wrong.push_back(wrong_.empty() ? 0 : wrong_[i]);
      largest = std::max(largest, losses.back());
    }
    record.proxy_loss = empty_histogram(0, largest);
    record.sigma = empty_histogram(0, 1);
    for (std::size_t i = 0, seen = 0; i < proxy_loss_.size(); ++i) {
      if (std::isnan(proxy_loss_[i])) continue;
      record.proxy_loss.add(losses[seen], wrong[seen] != 0);
      record.sigma.add(sigma_[i], wrong[seen] != 0);
      ++seen;
    }
    if (wrong_.empty()) return;
    const auto ranking = rank_detection(losses, wrong);
    if (std::isnan(ranking.auroc)) return;
    metrics.emplace_back("detection_precision", tally_.detection.precision());
    metrics.emplace_back("detection_recall", tally_.detection.recall());
    metrics.emplace_back("detection_f1", tally_.detection.f1());
    metrics.emplace_back("detection_auroc", ranking.auroc);
    metrics.emplace_back("detection_ap", ranking.average_precision);
    metrics.emplace_back("detection_p_at_errors", ranking.precision_at_errors);
  }

  void add_evaluation(EpochRecord& record) {
    if (data_.test.empty()) return;
    const auto embeddings =
        embed_all(*session_.model, *session_.test_inputs, session_.embed_options(config_));
    for (const auto& metric : evaluate_embeddings(embeddings, test_labels_, config_))
      record.metrics.push_back(metric);
  }

  // The best epoch has the highest first Recall@K; without a test split it is the last one.
  bool remember_best(const EpochRecord& record) {
    const double* recall = config_.recall_at.empty()
                               ? nullptr
                               : record.find("recall@" + std::to_string(config_.recall_at.front()));
    const bool better = data_.test.empty() || (recall != nullptr && *recall > best_recall_);
    if (!better) return false;
    if (recall != nullptr) best_recall_ = *recall;
    best_epoch_ = record.epoch;
    return true;
  }

  ordered_json state() const {
    ordered_json json{{"format", kCheckpointFormat}, {"epoch", epoch_}, {"step", step_}};
    json["labels"] = data_.digest;
    if (guidance_) json["guidance"] = guidance_->digest();
    json["tally"] = to_json(tally_);
    json["best_epoch"] = best_epoch_;
    json["best_recall"] = best_recall_;
    json["records"] = ordered_json::array();
    for (const auto& record : records_) json["records"].push_back(to_json(record));
    return json;
  }

  void save(const fs::path& path) {
    TensorFile file;
    learner_->save(file);
    file.tensors["samples.proxy_loss"] = torch::tensor(proxy_loss_);
    file.tensors["samples.sigma"] = torch::tensor(sigma_);
    if (set_confidence_) save_set_confidence(file);
    file.metadata["state"] = state().dump();
    file.metadata["config"] = to_json(config_).dump();
    write_safetensors(path, file, IfExists::kReplace);
  }

  void save_model(const fs::path& path) {
    TensorFile file;
    for (const auto& [name, tensor] : session_.model->state()) file.tensors["model." + name] = tensor;
    file.tensors["proxies"] = learner_->proxies().proxies();
    file.metadata["config"] = to_json(config_).dump();
    file.metadata["epoch"] = std::to_string(epoch_);
    write_safetensors(path, file, IfExists::kReplace);
  }

  void save_set_confidence(TensorFile& file) const {
    const auto& [losses, confidence] = *set_confidence_;
    file.tensors["epoch.losses"] = torch::tensor(losses, torch::kFloat64);
    file.tensors["epoch.sigma"] = torch::tensor(confidence.sigma, torch::kFloat64);
    file.tensors["epoch.above"] = torch::tensor(confidence.above, torch::kUInt8);
    if (confidence.threshold)
      file.tensors["epoch.threshold"] = torch::tensor({*confidence.threshold}, torch::kFloat64);
  }

  // Confidences hold for an epoch: one that was interrupted goes on with those it began with.
  void restore_set_confidence(const TensorFile& file) {
    if (!file.tensors.contains("epoch.losses")) return;
    const auto copy = [&]<typename T>(const char* name, std::vector<T>& target) {
      const auto& tensor = file.tensors.at(name);
      target.assign(tensor.template data_ptr<T>(), tensor.template data_ptr<T>() + tensor.numel());
    };
    set_confidence_.emplace();
    copy("epoch.losses", set_confidence_->losses);
    copy("epoch.sigma", set_confidence_->confidence.sigma);
    copy("epoch.above", set_confidence_->confidence.above);
    const auto threshold = file.tensors.find("epoch.threshold");
    if (threshold != file.tensors.end())
      set_confidence_->confidence.threshold = threshold->second.item<double>();
  }

  void restore() {
    const auto path = files_.last();
    const auto source = path.string();
    const auto file = read_safetensors(path);
    const auto text = file.metadata.find("state");
    if (text == file.metadata.end()) throw Error(source + " is not a checkpoint of a run");
    const auto json = ordered_json::parse(text->second);
    if (const auto format = json.value("format", ""); format != kCheckpointFormat)
      throw Error(
          fmt::format("{} has the format '{}', this program reads {}: another version wrote it. Go on "
                      "with that one, or start a new run.",
                      source, format, kCheckpointFormat));
    if (json.at("labels").get<std::string>() != data_.digest)
      throw Error(source + " was trained on other labels: the label set has changed since. Start a new run.");
    if (json.value("guidance", "") != (guidance_ ? guidance_->digest() : ""))
      throw Error(source +
                  " was guided by another table: models or vectors have changed since. Start a new run.");
    learner_->restore(file, source);
    const auto copy = [&](const char* name, std::vector<float>& target) {
      const auto found = file.tensors.find(name);
      if (found == file.tensors.end() || found->second.numel() != static_cast<std::int64_t>(target.size()))
        throw Error(source + " lacks '" + name + "' for these samples");
      std::copy_n(found->second.data_ptr<float>(), target.size(), target.begin());
    };
    copy("samples.proxy_loss", proxy_loss_);
    copy("samples.sigma", sigma_);
    restore_set_confidence(file);
    epoch_ = json.at("epoch");
    step_ = json.at("step");
    tally_ = epoch_tally_from_json(json.at("tally"));
    best_epoch_ = json.at("best_epoch");
    best_recall_ = json.at("best_recall");
    for (const auto& record : json.at("records")) records_.push_back(epoch_record_from_json(record));
    write_reports();
  }

  // At the end: the class means cost a pass over the training samples.
  void view_guidance() {
    guidance_view_ = make_guidance_view(
        *guidance_, data_,
        embed_all(*session_.model, *session_.train_inputs, session_.embed_options(config_)));
    write_reports();
  }

  void write_reports() {
    write_file(files_.folder / "metrics.csv", metrics_csv(records_), IfExists::kReplace);
    write_file(files_.folder / "metrics.jsonl", metrics_jsonl(records_), IfExists::kReplace);
    write_file(files_.folder / kEventFileName, tensorboard_events(records_), IfExists::kReplace);
    write_file(files_.page(),
               run_page(files_.folder.filename().string(), config_, data_, records_,
                        guidance_view_ ? &*guidance_view_ : nullptr),
               IfExists::kReplace);
  }

  const TrainConfig& config_;
  const TrainData& data_;
  const RunFiles& files_;
  const MachineOptions& machine_;
  const TrainObserver& observer_;
  std::unique_ptr<ClassBalancedSampler> sampler_;
  std::optional<Guidance> guidance_;
  std::optional<GuidanceView> guidance_view_;
  Session session_;
  std::unique_ptr<Learner> learner_;
  std::vector<std::uint8_t> wrong_;  // per training sample; empty when the truth is not known
  std::vector<std::int64_t> test_labels_;
  std::vector<float> proxy_loss_;  // per training sample, when last seen
  std::vector<float> sigma_;
  std::optional<SetConfidence> set_confidence_;  // of this epoch; --confidence-from class-means only
  std::int64_t epoch_ = 0;                       // finished epochs
  std::int64_t step_ = 0;                        // finished steps of the next
  EpochTally tally_;
  std::vector<EpochRecord> records_;
  std::int64_t best_epoch_ = 0;
  double best_recall_ = -1;
  std::chrono::steady_clock::time_point started_;
  std::int64_t steps_done_ = 0;
};

}  // namespace

TrainResult train_run(const TrainConfig& config, const TrainData& data, const RunFiles& files,
                      const MachineOptions& machine, const TrainObserver& observer, bool resume, RunEnd end) {
  config.validate();
  return Trainer(config, data, files, machine, observer).run(resume, end);
}

}  // namespace procsim::train
