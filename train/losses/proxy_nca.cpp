#include "train/losses/proxy_nca.hpp"

#include "data/base/error.hpp"
#include "train/losses/class_vectors.hpp"

namespace procsim::train {
void ProxyNcaOptions::validate() const {
  if (classes < 1) throw Error("Proxy-NCA needs at least one class");
  if (dimension < 1) throw Error("Proxy-NCA needs a dimension of at least 1");
  if (!(scale > 0)) throw Error("the proxy scale must be above 0");
}

ProxyNca::ProxyNca(const ProxyNcaOptions& options, std::uint64_t seed) : options_(options) {
  options_.validate();
  proxies_ = drawn_rows(options_.classes, options_.dimension, {.scale = 1}, seed, "train/proxies");
}

torch::Tensor proxy_nca_loss(const torch::Tensor& embeddings, const torch::Tensor& proxies,
                             const torch::Tensor& labels, double scale) {
  const auto logits = 2 * scale * torch::mm(embeddings, unit_rows(proxies).t());
  return cross_entropy_of(logits, labels);
}

torch::Tensor ProxyNca::operator()(const LossBatch& batch) {
  return proxy_nca_loss(batch.embeddings, proxies_.detach(), batch.labels, options_.scale);
}

torch::Tensor ProxyNca::proxy_loss(const LossBatch& batch) const {
  return proxy_nca_loss(batch.embeddings.detach(), proxies_, batch.labels, options_.scale);
}

}  // namespace procsim::train
