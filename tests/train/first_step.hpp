#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "train/methods/registry.hpp"

namespace procsim::test {

// A batch of a fresh small model: what a method's step on it must come to is computed from the model's own
// embeddings.
struct FirstStep {
  train::TrainConfig config = [] {
    train::TrainConfig small;
    small.dimension = 8;
    return small;
  }();
  torch::Tensor input = [] {
    torch::manual_seed(2);
    return torch::randn({6, 3, 32, 32});
  }();
  torch::Tensor labels = torch::tensor({0, 0, 1, 1, 2, 2}, torch::kInt64);
  std::vector<std::uint8_t> wrong{};
  std::optional<double> noise_rate = 0.5;
  std::unique_ptr<train::Embedder> model = fresh();
  std::unique_ptr<train::Network> network{};

  static std::unique_ptr<train::Embedder> fresh() {
    return std::make_unique<train::Embedder>(train::make_backbone("small", 1, false), 8, 1);
  }

  train::Batch batch(std::int64_t epoch = 0) const {
    train::Batch made;
    made.samples = {0, 1, 2, 3, 4, 5};
    made.labels = labels;
    made.views = {input, input};
    made.epoch = epoch;
    return made;
  }
  // The method of the configuration on a fresh model.
  std::unique_ptr<train::Method> method(const torch::Tensor& guidance = {},
                                        const train::Registry& registry = train::builtin_registry()) {
    model = fresh();
    network = std::make_unique<train::Network>(*model, train::OptimizerOptions{}, "fp32");
    train::MethodParts parts{.config = config, .network = *network, .classes = 3, .wrong = wrong};
    parts.noise_rate = noise_rate;
    parts.another_model = fresh;
    if (guidance.defined()) parts.guidance = [guidance](std::span<const std::int64_t>) { return guidance; };
    return registry.make(parts);
  }
  train::StepOutcome run(std::int64_t epoch = 0, const torch::Tensor& guidance = {}) {
    return method(guidance)->step(batch(epoch));
  }
  // What the objective sees in the first step.
  train::LossBatch loss_batch() const {
    const auto start = fresh();
    start->train_mode(true);
    return {start->embed(input.contiguous(torch::MemoryFormat::ChannelsLast)), labels, {}};
  }
  torch::Tensor weights() const { return model->state().begin()->second.clone(); }
};

}  // namespace procsim::test
