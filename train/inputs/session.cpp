#include "train/inputs/session.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/thread_tasks.hpp"
#include "train/inputs/check_machine.hpp"
#include "train/models/device.hpp"
#include "train/models/pretrained.hpp"
#include "train/models/safetensors.hpp"
#include "train/settings/architecture.hpp"
#include "train/settings/missing_models.hpp"

namespace procsim::train {
namespace {

namespace fs = std::filesystem;

void say(const TrainObserver& observer, const std::string& message) {
  if (observer.note) observer.note(message);
}

std::optional<fs::path> weights_file(const TrainConfig& config, const MachineOptions& machine,
                                     const TrainObserver& observer) {
  if (config.weights == "none") return std::nullopt;
  const auto needs = models_of_run(config, machine);
  if (config.weights.empty() && needs.backbone.empty()) return std::nullopt;
  auto file =
      require_weights("--weights", config.weights, {.backbone = needs.backbone}, machine.model_folder);
  if (config.weights.empty()) say(observer, fmt::format("weights: {}", file.string()));
  return file;
}

// Each process of a machine takes a GPU of its own, unless one was named.
torch::Device device_of(const MachineOptions& machine, const Processes& processes) {
  const auto device = choose_device(machine.device);
  if (!device.is_cuda() || machine.device.find(':') != std::string::npos || processes.size() == 1)
    return device;
  const auto gpus = static_cast<std::uint8_t>(torch::cuda::device_count());
  return {torch::kCUDA, static_cast<c10::DeviceIndex>(processes.rank_on_host() % gpus)};
}

// The tensor library would take all cores in each of several processes. torchrun leaves it one.
void use_threads(const MachineOptions& machine, const Processes& processes) {
  if (machine.threads > 0)
    torch::set_num_threads(machine.threads);
  else if (processes.size() > 1)
    torch::set_num_threads(std::max(1, thread_count() / static_cast<int>(processes.size_on_host())));
}

}  // namespace

EmbedOptions Session::embed_options(const TrainConfig& config, Progress progress) const {
  EmbedOptions options;
  options.workers = workers;
  options.device = device;
  options.precision = config.precision;
  options.progress = std::move(progress);
  options.processes = processes;
  return options;
}

int worker_count(const MachineOptions& machine) {
  if (machine.workers > 0) return machine.workers;
  const auto sharing = machine.processes ? static_cast<int>(machine.processes->size_on_host()) : 1;
  return std::max(1, thread_count() / sharing);
}

void check_machine(const TrainConfig& config, const MachineOptions& machine) {
  check_device_name(machine.device);
  if (is_torchscript(config.backbone)) {
    if (!machine.trust_code) make_backbone(config.backbone, config.seed, machine.trust_code);  // says why not
  } else if (!config.train_from.empty()) {
    if (const auto* architecture = find_architecture(config.backbone))
      stage_index(stage_names(*architecture), config.train_from);
  }
}

Session open_session(const TrainConfig& config, const TrainData& data, const MachineOptions& machine,
                     const TrainObserver& observer) {
  Session session;
  if (machine.processes) session.processes = machine.processes;
  session.device = device_of(machine, *session.processes);
  session.workers = worker_count(machine);
  use_threads(machine, *session.processes);
  auto backbone = make_backbone(config.backbone, config.seed, machine.trust_code);
  session.first_stage = config.train_from.empty() ? 0 : backbone->stage_index(config.train_from);
  session.model = std::make_unique<Embedder>(std::move(backbone), config.dimension, config.seed);
  session.pretrained = is_torchscript(config.backbone);
  if (const auto file = weights_file(config, machine, observer)) {
    load_pretrained(*session.model, config.backbone, *file);
    session.pretrained = true;
  }
  if (session.first_stage > 0 && !session.pretrained)
    throw UsageError("--train-from " + config.train_from +
                     " would freeze random weights: it needs pretrained ones");
  session.model->train_from(session.first_stage);
  session.learn_statistics =
      config.batch_norm == "learn" || (config.batch_norm == "auto" && !session.pretrained);
  session.model->learn_statistics(session.learn_statistics);
  session.model->to(session.device);
  const auto scale = session.model->backbone().pixel_scale();
  const auto share = machine.memory / 2;
  session.train_images = std::make_shared<ImageInputs>(data.root, data.train, config, scale, share);
  session.test_images = std::make_shared<ImageInputs>(data.root, data.test, config, scale, share);
  return session;
}

void prepare_inputs(Session& session, const TrainConfig& config, const MachineOptions& machine,
                    const TrainObserver& observer) {
  session.train_inputs = session.train_images;
  session.test_inputs = session.test_images;
  if (session.first_stage == 0) return;
  ActivationCacheOptions options;
  options.folder = machine.cache_folder;
  options.stage = session.first_stage;
  options.workers = session.workers;
  options.views = config.views;
  options.processes = session.processes;
  options.progress = observer.progress_of("activations of the training images");
  session.train_inputs = cache_activations(*session.model, *session.train_images, config, options);
  if (session.test_images->size() == 0) return;
  options.views = 0;
  options.progress = observer.progress_of("activations of the test images");
  session.test_inputs = cache_activations(*session.model, *session.test_images, config, options);
}

void load_checkpoint_model(Session& session, const fs::path& checkpoint) {
  const auto file = read_safetensors(checkpoint);
  const auto weights = file.below("model.");
  if (weights.empty()) throw Error(checkpoint.string() + " is not a checkpoint: it holds no model");
  session.model->load(weights, checkpoint.string(), /*pretrained=*/false);
}

Session open_checkpoint(TrainConfig config, const TrainData& data, const fs::path& checkpoint,
                        const MachineOptions& machine, const TrainObserver& observer) {
  config.weights = "none";
  config.train_from.clear();
  auto session = open_session(config, data, machine, observer);
  load_checkpoint_model(session, checkpoint);
  return session;
}

}  // namespace procsim::train
