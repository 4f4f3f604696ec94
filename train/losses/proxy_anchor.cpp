#include <cmath>

#include "train/frame/component.hpp"
#include "train/frame/option_check.hpp"
#include "train/losses/class_vectors.hpp"
#include "train/losses/pair_sums.hpp"

namespace procsim::train {
namespace {

struct ProxyAnchorOptions {
  double alpha = 32;
  double delta = 0.1;
  double lr = 1e-2;

  void validate() const {
    require_option(alpha > 0, "--proxy-anchor-alpha", alpha, "above 0");
    require_option(delta >= 0 && delta < 1, "--proxy-anchor-delta", delta, "in [0, 1)");
    require_option(lr > 0, "--proxy-anchor-lr", lr, "above 0");
  }
  template <typename Self, typename Visitor>
  static void fields(Self& self, const Visitor& visit) {
    visit("alpha", self.alpha, "Proxy-Anchor: scale");
    visit("delta", self.delta, "Proxy-Anchor: margin");
    visit("lr", self.lr, "Proxy-Anchor: Adam's rate for the proxies");
  }
};

// A sum over proxies. What a sample has of it is our reading: every proxy's logarithm is shared out among its
// samples in proportion to their exponentials.
class ProxyAnchorLoss : public ClassVectorLoss {
 public:
  ProxyAnchorLoss(torch::Tensor proxies, const ProxyAnchorOptions& options)
      : ClassVectorLoss(std::move(proxies), options.lr), options_(options) {
    options_.validate();
  }

  torch::Tensor operator()(const LossBatch& batch) override {
    const auto similarity = torch::mm(unit_rows(vectors()), batch.embeddings.t());  // C × B
    const auto classes = torch::arange(similarity.size(0), batch.labels.options());
    auto own = classes.unsqueeze(1) == batch.labels.unsqueeze(0);
    auto other = ~own;
    const auto& weights = batch.partner_confidence;
    if (weights.defined()) {
      own = own & (weights > 0.5).unsqueeze(0);
      other = other & (weights > 0.5).unsqueeze(0);
    }
    const auto seen = own.any(1).sum().clamp_min(1);
    const auto pull = -options_.alpha * (similarity - options_.delta);
    const auto push = options_.alpha * (similarity + options_.delta);
    const auto values = shares(pull, own, weights) / seen + shares(push, other, weights) / similarity.size(0);
    return values * batch.labels.size(0);
  }

 private:
  // B values that add up to Σ_p ln(1 + Σ_i e^{exponent}).
  static torch::Tensor shares(const torch::Tensor& exponents, const torch::Tensor& mask,
                              const torch::Tensor& weights) {
    constexpr double kNothing = -1e9;
    const auto value = log_one_plus_sum(exponents, mask, weights);
    auto part = exponents.detach();
    if (weights.defined()) part = part + weights.log().unsqueeze(0);
    part = part.masked_fill(~mask, kNothing).softmax(1) * mask.to(part.dtype());
    return (part * value.unsqueeze(1)).sum(0);
  }

  ProxyAnchorOptions options_;
};

}  // namespace

ObjectiveComponent proxy_anchor_objective() {
  auto component = objective_component<ProxyAnchorOptions>(
      "proxy-anchor", "proxy_anchor", [](MethodParts& parts, const ProxyAnchorOptions& options) {
        const auto scale = std::sqrt(2.0 / static_cast<double>(parts.classes));
        auto proxies = drawn_rows(parts.classes, parts.network.model().dimension(), {.scale = scale},
                                  parts.config.seed, "train/proxy-anchor");
        return std::make_unique<ProxyAnchorLoss>(on_device(proxies, parts.network.device()), options);
      });
  component.description = "every proxy as the anchor of the batch";
  component.state = "a proxy of each class";
  component.source = "Kim et al. 2020";
  return component;
}

}  // namespace procsim::train
