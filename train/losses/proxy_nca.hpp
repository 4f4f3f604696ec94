#pragma once

#include <cstdint>

#include "train/frame/objective.hpp"

namespace procsim::train {

struct ProxyNcaOptions {
  std::int64_t classes = 0;
  std::int64_t dimension = 0;
  double scale = 1;  // s

  void validate() const;
};

// Proxy-NCA's value of each sample, with gradients to embeddings (unit rows) and proxies (any length).
torch::Tensor proxy_nca_loss(const torch::Tensor& embeddings, const torch::Tensor& proxies,
                             const torch::Tensor& labels, double scale);

// Proxy-NCA with one proxy per class and the positive in the denominator (docs/paper-map.md, Eq. 1):
// cross-entropy on logits 2·s·cos(x, p). The proxies learn by an optimiser of their own, so neither of the
// two values below carries gradients to both sides.
class ProxyNca : public Objective {
 public:
  // Proxies drawn from N(0, 1) with `seed`.
  ProxyNca(const ProxyNcaOptions& options, std::uint64_t seed);

  // As a metric-learning loss: gradients to the embeddings, the proxies fixed.
  torch::Tensor operator()(const LossBatch& batch) override;

  // For the proxies' own step: gradients to the proxies, the embeddings fixed.
  torch::Tensor proxy_loss(const LossBatch& batch) const;

  torch::Tensor& proxies() { return proxies_; }
  const torch::Tensor& proxies() const { return proxies_; }

 private:
  ProxyNcaOptions options_;
  torch::Tensor proxies_;  // C × D
};

}  // namespace procsim::train
