// What the guidance adds to a training step: the same steps with and without it, in turns, in one run. The
// model is EfficientNet-Lite0 from block11 on activations of 128 px images, batch 90, 100 classes: the
// cub200-best preset.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "train/guidance/guidance.hpp"
#include "train/methods/methods.hpp"
#include "train/methods/registry.hpp"

namespace procsim {
namespace {

constexpr std::int64_t kClasses = 100;
constexpr std::int64_t kBatch = 90;
constexpr int kPairs = 25;
constexpr double kTarget = 1.03;

GuidanceTable random_table() {
  GuidanceTable table;
  table.dimension = 384;
  for (std::int64_t label = 0; label < kClasses; ++label) {
    GuidanceEntry entry{label, "class", {}};
    for (std::size_t rank = 0; rank < 5; ++rank)
      entry.labels.push_back({"n", "thing", 1, static_cast<std::size_t>(label) * 5 + rank});
    table.entries.push_back(entry);
  }
  const auto vectors = torch::randn({kClasses * 5 * table.dimension});
  table.vectors.assign(vectors.data_ptr<float>(), vectors.data_ptr<float>() + vectors.numel());
  return table;
}

train::TrainData random_data() {
  train::TrainData data;
  for (std::int32_t label = 0; label < kClasses; ++label) {
    data.classes.push_back(label);
    data.info.classes.push_back({"class", "", ""});
  }
  for (std::int64_t i = 0; i < kBatch; ++i) data.train_class.push_back(i / 2);
  data.train.resize(static_cast<std::size_t>(kBatch));
  return data;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

int run() {
  torch::manual_seed(1);
  auto config = train::preset_config("cub200-best");
  auto backbone = train::make_backbone(config.backbone, 1, false);
  const auto stage = backbone->stage_index(config.train_from);
  train::Embedder model(std::move(backbone), config.dimension, 1);
  model.train_from(stage);
  model.to(torch::kCPU);
  config.confidence = "procsim";
  config.confidence_from = "proxy-nca";  // judged in the step itself
  train::name_method(config);
  train::Network network(model, {config.optimizer, config.lr, config.momentum, config.weight_decay}, "fp32");
  const auto data = random_data();
  const train::Guidance guidance(random_table(), data, "benchmark");
  const auto make = [&](bool guided) {
    train::MethodParts parts{.config = config, .network = network, .classes = kClasses};
    if (guided) parts.guidance = [&](std::span<const std::int64_t> samples) { return guidance(samples); };
    return train::builtin_registry().make(parts);
  };
  const auto without = make(false);
  const auto with = make(true);
  train::Batch batch;
  for (std::int64_t i = 0; i < kBatch; ++i) batch.samples.push_back(i);
  batch.labels = torch::tensor(data.train_class, torch::kInt64);
  batch.views = {torch::rand({kBatch, 112, 8, 8})};
  batch.stage = stage;
  const auto seconds = [&](bool guided) {
    const auto start = std::chrono::steady_clock::now();
    (guided ? with : without)->step(batch);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  for (int i = 0; i < 3; ++i) {
    seconds(false);
    seconds(true);
  }
  std::vector<double> plain, guided, ratios;
  for (int i = 0; i < kPairs; ++i) {
    plain.push_back(seconds(false));
    guided.push_back(seconds(true));
    ratios.push_back(guided.back() / plain.back());
  }
  const double ratio = median(ratios);
  std::printf(
      "step without guidance %.1f ms, with %.1f ms (medians of %d); median ratio of neighbours %.4f, target "
      "%.2f\n",
      1e3 * median(plain), 1e3 * median(guided), kPairs, ratio, kTarget);
  return ratio < kTarget ? 0 : 1;
}

}  // namespace
}  // namespace procsim

int main() { return procsim::run(); }
