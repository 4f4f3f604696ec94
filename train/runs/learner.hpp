#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "train/losses/proxy_nca.hpp"
#include "train/models/embedder.hpp"
#include "train/models/safetensors.hpp"
#include "train/settings/config.hpp"
#include "train/trust/class_means.hpp"

namespace procsim::train {

// The loss that a configuration names. `proxies` is shared with the confidence. Throws UsageError.
std::unique_ptr<SampleLoss> make_loss(const TrainConfig& config, const std::shared_ptr<ProxyNca>& proxies);

// What one step saw and did.
struct StepResult {
  double loss = 0;                  // the objective
  std::optional<double> threshold;  // τ
  std::vector<double> proxy_loss;   // a value a sample
  std::vector<double> sigma;        // the confidence that weighted it
  std::vector<std::uint8_t> above;  // 1 where the loss that the confidence comes from is above τ
};

// One model, its proxies and their optimisers: ProcSim's step (docs/paper-map.md, Eq. 4).
class Learner {
 public:
  Learner(const TrainConfig& config, Embedder& model, std::int64_t classes, torch::Device device);
  ~Learner();

  // `input` belongs to the stage that training starts at; `labels` are dense; `wrong` (for the oracle) says
  // which labels differ from the truth, empty where that is not known. `known` is the confidence of these
  // samples where it does not come from the batch. The result's loss may be NaN: the caller stops then, and
  // the parameters have not been touched.
  // `guidance` (undefined: none) are the similarities that the batch is guided to (guidance_loss.hpp).
  StepResult step(const torch::Tensor& input, std::size_t stage, const torch::Tensor& labels,
                  std::span<const std::uint8_t> wrong, const SetConfidence* known = nullptr,
                  const torch::Tensor& guidance = {});

  // While on, every σ is 1 (but SuperLoss's own weighting of pairs): for the first epochs, when the proxies
  // know nothing.
  void trust_all(bool on) { trust_all_ = on; }

  ProxyNca& proxies() { return *proxies_; }
  ConfidenceRule& rule() { return rule_; }

  // Everything but the configuration: weights, proxies, optimisers, running averages.
  void save(TensorFile& file);
  void restore(const TensorFile& file, const std::string& source);

 private:
  struct Optimizers;
  BatchConfidence confidence(const LossBatch& batch, const std::vector<double>& proxy_values,
                             std::span<const std::uint8_t> wrong, const SetConfidence* known);

  TrainConfig config_;
  Embedder& model_;
  torch::Device device_;
  std::shared_ptr<ProxyNca> proxies_;
  std::unique_ptr<SampleLoss> loss_;
  std::unique_ptr<SampleLoss> source_;  // whose values the confidence comes from, where that is not Proxy-NCA
  ConfidenceRule rule_;
  RunningAverage superloss_average_;
  std::unique_ptr<Optimizers> optimizers_;
  bool trust_all_ = false;
};

}  // namespace procsim::train
