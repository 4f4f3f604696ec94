#include "train/trust/proxy_trust.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "train/trust/judgement.hpp"

namespace procsim::train {

ProxyTrust::ProxyTrust(std::shared_ptr<Proxies> proxies, const ConfidenceRule& rule,
                       std::unique_ptr<Objective> judge)
    : proxies_(std::move(proxies)), rule_(rule), judge_(std::move(judge)) {}

std::vector<Quantity> ProxyTrust::quantities() const {
  return confidence_quantities("proxy_loss", "proxy loss", /*threshold_of_column=*/!judge_);
}

Trust ProxyTrust::operator()(const Batch& batch, const torch::Tensor& embeddings) {
  const LossBatch seen{embeddings, batch.labels.to(embeddings.device()), {}};
  auto losses = doubles(proxies_->observe(seen));
  const auto finite = [](double value) { return std::isfinite(value); };
  if (!std::all_of(losses.begin(), losses.end(), finite)) {
    Trust none;
    none.weight.assign(losses.size(), std::numeric_limits<double>::quiet_NaN());
    none.columns.emplace_back("proxy_loss", std::move(losses));
    return none;
  }
  if (!judge_) return confidence_trust("proxy_loss", losses, rule_(losses));
  const torch::NoGradGuard no_gradients;
  return confidence_trust("proxy_loss", std::move(losses), rule_(doubles((*judge_)(seen))));
}

void ProxyTrust::save(const CheckpointPart& part) const {
  part.put_value("mean", {rule_.global_mean().sum, rule_.global_mean().count});
}

void ProxyTrust::restore(const CheckpointPart& part) {
  const auto mean = part.value("mean");
  mean.at(0).get_to(rule_.global_mean().sum);
  mean.at(1).get_to(rule_.global_mean().count);
}

}  // namespace procsim::train
