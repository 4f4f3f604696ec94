#include "train/loop/train_run.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "train/guidance/guidance_view.hpp"
#include "train/guidance/pseudo_labels.hpp"
#include "train/loop/training_loop.hpp"
#include "train/methods/registry.hpp"
#include "train/settings/missing_models.hpp"

namespace procsim::train {
namespace {

constexpr std::int64_t kPcaSamples = 10000;

std::vector<std::uint8_t> wrong_labels(const TrainData& data) {
  std::vector<std::uint8_t> wrong;
  if (data.truth_known())
    for (const auto& sample : data.train) wrong.push_back(*sample.true_label != sample.label);
  return wrong;
}

// As given, or as the true labels have it; said with its source.
std::optional<double> noise_rate(const TrainConfig& config, const std::vector<std::uint8_t>& wrong,
                                 const std::string& who, const TrainObserver& observer) {
  const bool given = config.noise_rate >= 0;
  if (!given && wrong.empty()) return std::nullopt;
  const double own = static_cast<double>(std::count(wrong.begin(), wrong.end(), std::uint8_t{1})) /
                     static_cast<double>(std::max<std::size_t>(wrong.size(), 1));
  const double rate = given ? config.noise_rate : own;
  if (observer.note)
    observer.note(fmt::format("noise rate for {}: {:.4g}, {}", who, rate,
                              given ? "as given" : "the label set's own, from its true labels"));
  return rate;
}

// The head that a new run starts with, on features of the start model.
void start_head(Session& session, const TrainConfig& config, const TrainObserver& observer) {
  const bool pca = config.head_init == "pca" || (config.head_init == "auto" && session.pretrained);
  if (!pca) return;
  const InputSource& inputs = session.train_inputs ? *session.train_inputs : *session.train_images;
  auto features = features_of_all(*session.model, inputs,
                                  session.embed_options(config, observer.progress_of("features")));
  if (features.size(0) > kPcaSamples)
    features = features.slice(0, 0, features.size(0), features.size(0) / kPcaSamples);
  session.model->set_pca_head(features);
}

std::unique_ptr<Embedder> model_like(const Session& session, const TrainConfig& config,
                                     const MachineOptions& machine) {
  auto model = std::make_unique<Embedder>(make_backbone(config.backbone, config.seed, machine.trust_code),
                                          config.dimension, config.seed);
  model->load(session.model->state(), "the run's model", /*pretrained=*/false);
  model->train_from(session.first_stage);
  model->learn_statistics(session.learn_statistics);
  model->to(session.device);
  return model;
}

// What is kept of it on disk is made by the first process, and read by the others then.
std::optional<Guidance> guidance_of(const TrainConfig& config, const TrainData& data, MachineOptions machine,
                                    const TrainObserver& observer) {
  const auto processes = machine.processes ? std::exchange(machine.processes, nullptr) : one_process();
  std::optional<Guidance> guidance;
  made_by_first(*processes, [&] {
    guidance = open_guidance(config, data, machine, observer);
    return std::string();
  });
  if (!processes->first()) guidance = open_guidance(config, data, machine, observer);
  return guidance;
}

void check_processes(const Session& session, const TrainConfig& config, const TrainData& data) {
  auto& processes = *session.processes;
  require_same(processes, to_json(config).dump() + data.digest, "settings or labels");
  if (config.batch < processes.size())
    throw Error(
        fmt::format("a batch of {} has no sample for each of {} processes: raise --batch, or start "
                    "fewer.",
                    config.batch, processes.size()));
  if (processes.size() > 1 && session.learn_statistics && session.first_stage == 0 &&
      session.model->has_batch_norm())
    throw Error(
        "batch normalisation that learns would see only the slice of a batch that a process has: take "
        "--batch-norm frozen (or pretrained weights), a network without it, or one process.");
}

TrainResult result_of(bool finished, const TrainingLoop& loop, std::shared_ptr<Session> session) {
  TrainResult result;
  result.finished = finished;
  result.records = loop.state().records;
  result.best_epoch = loop.state().best_epoch;
  const auto suspicion = loop.meter().last_seen(Quantity::Meaning::kSuspicion);
  const auto trust = loop.meter().last_seen(Quantity::Meaning::kTrust);
  result.suspicion.assign(suspicion.begin(), suspicion.end());
  for (const float value : trust) result.trust.push_back(std::isnan(value) ? 1.0F : value);
  result.session = std::move(session);
  return result;
}

}  // namespace

TrainResult train_run(const TrainConfig& config, const TrainData& data, const RunFiles& files,
                      const MachineOptions& machine, const TrainObserver& observer,
                      const TrainRunOptions& options) {
  const auto& registry = options.registry != nullptr ? *options.registry : builtin_registry();
  registry.check(config);
  require_models(models_of_run(config, machine), machine.model_folder);
  const auto wrong = wrong_labels(data);
  const auto guidance = guidance_of(config, data, machine, observer);
  auto session = std::make_shared<Session>(open_session(config, data, machine, observer));
  check_processes(*session, config, data);
  // Kept activations are what the head's features are read from; images are opened once the head stands.
  const auto prepare = [&] { prepare_inputs(*session, config, machine, observer); };
  if (options.resume || session->first_stage > 0) prepare();
  if (!options.resume) start_head(*session, config, observer);
  if (!session->train_inputs) prepare();

  Network network(*session->model, {config.optimizer, config.lr, config.momentum, config.weight_decay},
                  config.precision, session->processes);
  MethodParts parts{.config = config,
                    .network = network,
                    .classes = static_cast<std::int64_t>(data.classes.size()),
                    .wrong = wrong};
  if (guidance) parts.guidance = [&](std::span<const std::int64_t> samples) { return (*guidance)(samples); };
  parts.another_model = [&] { return model_like(*session, config, machine); };
  if (const auto who = registry.needs_rate(config); !who.empty())
    parts.noise_rate = noise_rate(config, wrong, who, observer);
  const auto method = registry.make(parts);
  TrainingLoop loop({.config = config,
                     .data = data,
                     .files = files,
                     .machine = machine,
                     .observer = observer,
                     .session = *session,
                     .method = *method,
                     .inputs = {data.digest, guidance ? guidance->digest() : ""},
                     .method_line = registry.describe(config)},
                    wrong);
  if (options.resume)
    loop.resume();
  else
    loop.start(options.saved_first);
  const bool finished = loop.run();
  if (finished && guidance && options.guidance_view) {
    const auto view = make_guidance_view(
        *guidance, data,
        embed_all(method->evaluated(), *session->train_inputs, session->embed_options(config)));
    loop.write_page(&view);
  }
  return result_of(finished, loop, session);
}

}  // namespace procsim::train
