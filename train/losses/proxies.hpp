#pragma once

#include "train/frame/method_parts.hpp"
#include "train/frame/own_parameters.hpp"
#include "train/losses/proxy_nca.hpp"

namespace procsim::train {

// The proxies of a run, which learn by Adam of their own on the unweighted mean proxy loss of each batch, the
// embeddings fixed (docs/paper-map.md). Shared by whatever in a method looks at them.
class Proxies : public SharedPart {
 public:
  // `from_means`: start at the class means of the start model instead of N(0, 1).
  Proxies(const ProxyNcaOptions& options, std::uint64_t seed, double lr, bool from_means,
          torch::Device device);

  // Those of a method, from its configuration.
  static std::shared_ptr<Proxies> of(MethodParts& parts);

  // B values. What the proxies learn from when `learn` is called.
  torch::Tensor observe(const LossBatch& batch);
  // As a metric-learning loss: gradients to the embeddings, the proxies fixed.
  torch::Tensor pull(const LossBatch& batch) { return loss_(batch); }

  void start(const TrainingSet& set) override;
  void learn() override;
  void save(const CheckpointPart& part) const override { parameters_.save(part); }
  void restore(const CheckpointPart& part) override { parameters_.restore(part); }

 private:
  ProxyNca loss_;
  bool from_means_;
  OwnParameters parameters_;
  torch::Tensor observed_;
};

}  // namespace procsim::train
