// Our side of bench/training_step.py, bench/decoding.py and bench/features.py. Each prints a line of JSON.
//
//   training_benchmark step WEIGHTS BATCH STEPS                 seconds of steps of EfficientNet-Lite0 as a
//       whole at 128 px by ProcSim, on random pictures
//   training_benchmark loss FOLDER BATCH CLASSES DIMENSION STEPS    seconds of the losses and the confidence,
//       forward and backward; the folder has float32 `embeddings` and `proxies` and int64 `labels`
//   training_benchmark decode LIST SIZE WORKERS                 seconds of decoding and augmenting every
//   image
//       whose path is a line of LIST, after a pass over all that does not count
//   training_benchmark features LIST WEIGHTS WORKERS OUTPUT     seconds of EfficientNet-Lite0's features at
//       224 px, written to OUTPUT as float32
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <malloc.h>

#include "data/base/prefetcher.hpp"
#include "train/inputs/inputs.hpp"
#include "train/losses/multi_similarity.hpp"
#include "train/losses/proxy_nca.hpp"
#include "train/methods/methods.hpp"
#include "train/methods/registry.hpp"
#include "train/methods/weighted_average.hpp"
#include "train/models/pretrained.hpp"
#include "train/models/unit_rows.hpp"
#include "train/thresholds/confidence.hpp"

namespace procsim::train {
namespace {

using Words = std::vector<std::string>;

constexpr int kWarmUp = 3;
constexpr std::int64_t kClasses = 100;

template <typename Work>
double seconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <typename Work>
void print_steps(std::int64_t steps, const Work& work, double value) {
  for (int i = 0; i < kWarmUp; ++i) work();
  std::printf("{\"value\": %.9g, \"seconds\": [", value);
  for (std::int64_t i = 0; i < steps; ++i) std::printf("%s%.6f", i > 0 ? ", " : "", seconds_of(work));
  std::printf("]}\n");
}

Embedder pretrained_lite0(const std::string& weights, std::int64_t dimension) {
  Embedder model(make_backbone("efficientnet-lite0", 1, false), dimension, 1);
  load_pretrained(model, "efficientnet-lite0", weights);
  model.to(torch::kCPU);
  return model;
}

void step(const Words& words) {
  const std::int64_t size = std::stoll(words[1]), steps = std::stoll(words[2]);
  auto config = preset_config("cub200");
  config.guidance = "off";
  use_method(config, "procsim", {});
  auto model = pretrained_lite0(words[0], config.dimension);
  Network network(model, {config.optimizer, config.lr, config.momentum, config.weight_decay}, "fp32");
  MethodParts parts{.config = config, .network = network, .classes = kClasses};
  const auto method = builtin_registry().make(parts);
  torch::manual_seed(1);
  Batch batch;
  for (std::int64_t i = 0; i < size; ++i) batch.samples.push_back(i);
  batch.labels = torch::arange(size).div(2, "floor");
  batch.views = {torch::randn({size, 3, 128, 128})};
  print_steps(steps, [&] { method->step(batch); }, method->step(batch).objective);
}

torch::Tensor read_values(const std::string& path, std::int64_t rows, std::int64_t columns) {
  return torch::from_file(path, false, rows * columns, torch::kFloat32).view({rows, columns}).clone();
}

// What a step of ProcSim does behind the network and before the optimisers.
void loss(const Words& words) {
  const auto& folder = words[0];
  const std::int64_t size = std::stoll(words[1]), classes = std::stoll(words[2]),
                     dimension = std::stoll(words[3]), steps = std::stoll(words[4]);
  auto embeddings = read_values(folder + "/embeddings", size, dimension).set_requires_grad(true);
  ProxyNca proxies({.classes = classes, .dimension = dimension, .scale = 1}, 1);
  proxies.proxies() = read_values(folder + "/proxies", classes, dimension).set_requires_grad(true);
  const auto labels = torch::from_file(folder + "/labels", false, size, torch::kInt64).clone();
  MultiSimilarityLoss pairs;
  ConfidenceRule rule(ThresholdKind::kOtsu, 1);
  double value = 0;
  const auto work = [&] {
    embeddings.mutable_grad().reset();
    proxies.proxies().mutable_grad().reset();
    const LossBatch batch{unit_rows(embeddings), labels, {}, nullptr};
    const auto proxy_losses = proxies.proxy_loss(batch);
    const auto judged = proxy_losses.detach().to(torch::kFloat64);
    const auto trust = rule({judged.data_ptr<double>(), static_cast<std::size_t>(size)});
    const auto weights = torch::tensor(trust.sigma, torch::kFloat64).to(torch::kFloat32);
    const auto objective = weighted_average(pairs(batch), weights, AverageOver::kSamples);
    value = objective.item<double>();
    objective.backward();
    proxy_losses.mean().backward();
  };
  work();
  print_steps(steps, work, value);
}

std::vector<TrainSample> listed(const std::string& list) {
  std::vector<TrainSample> samples;
  std::ifstream file(list);
  for (std::string path; std::getline(file, path);)
    samples.push_back({static_cast<std::int64_t>(samples.size()),
                       std::filesystem::path(path).relative_path().string(),
                       kUnlabelled,
                       {}});
  return samples;
}

void decode(const Words& words) {
  TrainConfig config;
  config.image_size = std::stoll(words[1]);
  const auto workers = std::stoi(words[2]);
  const ImageInputs images("/", listed(words[0]), config, {}, 0);
  const auto pass = [&] {
    Prefetcher<torch::Tensor> loader(0, (images.size() + config.batch - 1) / config.batch, workers,
                                     2 * workers + 1, [&](std::int64_t index) {
                                       std::vector<std::int64_t> samples;
                                       for (auto i = index * config.batch;
                                            i < std::min((index + 1) * config.batch, images.size()); ++i)
                                         samples.push_back(i);
                                       return images.augmented(samples, index * config.batch);
                                     });
    while (loader.next()) {
    }
  };
  pass();
  std::printf("{\"seconds\": %.6f}\n", seconds_of(pass));
}

void features(const Words& words) {
  TrainConfig config;
  auto model = pretrained_lite0(words[1], config.dimension);
  const auto workers = std::stoi(words[2]);
  const ImageInputs images("/", listed(words[0]), config, model.backbone().pixel_scale(), 0);
  EmbedOptions options;
  options.workers = workers;
  torch::Tensor found;
  const double seconds = seconds_of([&] { found = features_of_all(model, images, options).contiguous(); });
  std::ofstream(words[3], std::ios::binary)
      .write(static_cast<const char*>(found.data_ptr()), static_cast<std::streamsize>(found.nbytes()));
  std::printf("{\"seconds\": %.6f}\n", seconds);
}

struct Work {
  const char* name;
  std::size_t words;
  void (*run)(const Words&);
};

int run(Words words) {
  constexpr Work kWorks[] = {
      {"step", 3, step}, {"loss", 5, loss}, {"decode", 3, decode}, {"features", 4, features}};
  for (const auto& work : kWorks) {
    if (words.empty() || words.front() != work.name || words.size() != work.words + 1) continue;
    words.erase(words.begin());
    work.run(words);
    return 0;
  }
  std::fprintf(stderr, "usage: see bench/training_benchmark.cpp\n");
  return 2;
}

}  // namespace
}  // namespace procsim::train

int main(int count, char** words) {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // as procsim-train sets it
  mallopt(M_TRIM_THRESHOLD, 2000 << 20);
  return procsim::train::run({words + 1, words + count});
}
