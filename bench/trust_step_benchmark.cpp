// What judging labels adds to training: an epoch and a step with every trust of ours and the paper's against
// Multi-Similarity alone, in one run. The model is EfficientNet-Lite0 from block11 on kept activations of 128
// px images, batch 90, 5,850 samples of 100 classes, half of the labels wrong: the cub200-best preset. An
// epoch is what a method does at its start, the pass over the whole set that it asks for included, and 65
// steps; the evaluation, which is the same for all, is not in it.
//
//     trust_step_benchmark [THREADS]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "data/noise_model/class_distances.hpp"
#include "train/methods/methods.hpp"
#include "train/methods/registry.hpp"

namespace procsim {
namespace {

constexpr std::int64_t kClasses = 100;
constexpr std::int64_t kBatch = 90;
constexpr std::int64_t kSteps = 65;
constexpr std::int64_t kSamples = kSteps * kBatch;
constexpr int kRounds = 7;       // of one step of every method in turns
constexpr int kEpochs = 2;       // of one start of an epoch of every method in turns
constexpr double kTarget = 1.3;  // ours against the paper's
constexpr const char* kPlain = "ms";
constexpr const char* kPaper = "procsim";

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

template <typename Work>
double seconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Every second label is the one of the next class.
std::vector<std::int64_t> noisy_labels() {
  std::vector<std::int64_t> labels;
  for (std::int64_t i = 0; i < kSamples; ++i) labels.push_back((i / 2 + i % 2) % kClasses);
  return labels;
}

// A method with a network of its own.
struct Subject {
  std::string name;
  train::TrainConfig config;
  train::Embedder model;
  train::Network network;
  std::unique_ptr<train::Method> method;
  std::vector<double> steps{}, starts{};

  Subject(const std::string& method_name, std::shared_ptr<train::Backbone> backbone, std::size_t stage,
          std::span<const std::uint8_t> wrong)
      : name(method_name),
        config(train::preset_config("cub200-best")),
        model(std::move(backbone), config.dimension, 1),
        network(prepared(stage), {config.optimizer, config.lr, config.momentum, config.weight_decay},
                "fp32") {
    config.confidence_from = "proxy-nca";  // where a method does not say otherwise: judged in the step
    train::use_method(config, name, {});
    train::MethodParts parts{.config = config, .network = network, .classes = kClasses, .wrong = wrong};
    method = train::builtin_registry().make(parts);
  }

  double step() const { return median(steps); }
  double start() const { return median(starts); }
  double epoch() const { return start() + static_cast<double>(kSteps) * step(); }

 private:
  train::Embedder& prepared(std::size_t stage) {
    model.train_from(stage);
    model.to(torch::kCPU);
    return model;
  }
};

int run(int threads) {
  if (threads > 0) torch::set_num_threads(threads);
  torch::manual_seed(1);
  const auto preset = train::preset_config("cub200-best");
  const auto stage = train::make_backbone(preset.backbone, 1, false)->stage_index(preset.train_from);
  const auto labels = noisy_labels();
  std::vector<std::int64_t> ids(labels.size());
  std::vector<std::uint8_t> wrong(labels.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    ids[i] = static_cast<std::int64_t>(i);
    wrong[i] = i % 2;
  }
  const ClassDistances distances(kClasses);
  const auto means = torch::rand({kClasses, 112, 8, 8});
  std::vector<torch::Tensor> inputs;  // kept activations, batch by batch
  for (std::int64_t first = 0; first < kSamples; first += kBatch) {
    std::vector<std::int64_t> truth;
    for (std::int64_t i = first; i < first + kBatch; ++i) truth.push_back(i / 2 % kClasses);
    const auto made = means.index_select(0, torch::tensor(truth)) + 0.5 * torch::rand({kBatch, 112, 8, 8});
    inputs.push_back(made.contiguous(torch::MemoryFormat::ChannelsLast));  // as the loop hands them over
  }

  std::vector<std::unique_ptr<Subject>> subjects;
  for (const char* name : {kPlain, kPaper, "procsim-means", "procsim-posterior"})
    subjects.push_back(
        std::make_unique<Subject>(name, train::make_backbone(preset.backbone, 1, false), stage, wrong));
  const auto set_for = [&](Subject& subject, std::int64_t epoch) {
    train::TrainingSet set;
    set.epoch = epoch;
    set.labels = labels;
    set.classes = kClasses;
    set.ids = ids;
    set.distances = &distances;
    set.embeddings = [&] {
      const torch::NoGradGuard no_gradients;
      subject.model.train_mode(false);
      std::vector<torch::Tensor> parts;
      for (const auto& input : inputs) parts.push_back(subject.model.embed(input, stage));
      return torch::cat(parts);
    };
    return set;
  };
  for (auto& subject : subjects) subject->method->start(set_for(*subject, 0));
  for (int epoch = 0; epoch < kEpochs; ++epoch)
    for (auto& subject : subjects)
      subject->starts.push_back(seconds_of([&] { subject->method->begin_epoch(set_for(*subject, epoch)); }));

  train::Batch batch;
  for (std::int64_t i = 0; i < kBatch; ++i) batch.samples.push_back(i);
  batch.labels =
      torch::tensor(std::vector<std::int64_t>(labels.begin(), labels.begin() + kBatch), torch::kInt64);
  batch.views = {inputs.front()};
  batch.stage = stage;
  for (int round = -2; round < kRounds; ++round)
    for (auto& subject : subjects) {
      const double took = seconds_of([&] { subject->method->step(batch); });
      if (round >= 0) subject->steps.push_back(took);
    }

  const auto& plain = *subjects[0];
  const auto& paper = *subjects[1];
  bool good = true;
  std::printf("%d threads; medians; ratios to %s, and to the paper's\n", torch::get_num_threads(), kPlain);
  for (const auto& subject : subjects) {
    const double step = subject->step() / paper.step(), epoch = subject->epoch() / paper.epoch();
    std::printf("%-18s step %6.1f ms (%.3f, %.3f), start of an epoch %6.2f s, epoch %6.2f s (%.3f, %.3f)\n",
                subject->name.c_str(), 1e3 * subject->step(), subject->step() / plain.step(), step,
                subject->start(), subject->epoch(), subject->epoch() / plain.epoch(), epoch);
    good = good && step <= kTarget && epoch <= kTarget;
  }
  std::printf("target: %.1f times the paper's\n", kTarget);
  return good ? 0 : 1;
}

}  // namespace
}  // namespace procsim

int main(int count, char** words) { return procsim::run(count > 1 ? std::atoi(words[1]) : 0); }
