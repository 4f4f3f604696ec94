#include "train/losses/proxy_nca.hpp"

#include "data/base/error.hpp"
#include "data/base/keyed_random.hpp"

namespace procsim::train {
namespace {

namespace F = torch::nn::functional;

torch::Tensor unit(const torch::Tensor& rows) { return F::normalize(rows, F::NormalizeFuncOptions().dim(1)); }

}  // namespace

void ProxyNcaOptions::validate() const {
  if (classes < 1) throw Error("Proxy-NCA needs at least one class");
  if (dimension < 1) throw Error("Proxy-NCA needs a dimension of at least 1");
  if (!(scale > 0)) throw Error("the proxy scale must be above 0");
}

ProxyNca::ProxyNca(const ProxyNcaOptions& options, std::uint64_t seed) : options_(options) {
  options_.validate();
  auto start = torch::empty({options_.classes, options_.dimension});
  const KeyedRandom random(seed, "train/proxies");
  for (std::int64_t c = 0; c < options_.classes; ++c) {
    auto draws = random.for_id(c);
    float* row = start.data_ptr<float>() + c * options_.dimension;
    for (std::int64_t d = 0; d < options_.dimension; ++d) row[d] = static_cast<float>(draws.normal());
  }
  proxies_ = start.requires_grad_(true);
}

torch::Tensor proxy_nca_loss(const torch::Tensor& embeddings, const torch::Tensor& proxies,
                             const torch::Tensor& labels, double scale) {
  const auto logits = 2 * scale * torch::mm(embeddings, unit(proxies).t());
  return F::cross_entropy(logits, labels, F::CrossEntropyFuncOptions().reduction(torch::kNone));
}

torch::Tensor ProxyNca::operator()(const LossBatch& batch) {
  return proxy_nca_loss(batch.embeddings, proxies_.detach(), batch.labels, options_.scale);
}

torch::Tensor ProxyNca::proxy_loss(const LossBatch& batch) const {
  return proxy_nca_loss(batch.embeddings.detach(), proxies_, batch.labels, options_.scale);
}

}  // namespace procsim::train
