#include <cmath>

#include "train/frame/component.hpp"
#include "train/frame/option_check.hpp"
#include "train/losses/class_vectors.hpp"

namespace procsim::train {
namespace {

struct SoftTripleOptions {
  std::int64_t centres = 10;
  double lambda = 20;
  double gamma = 0.1;
  double margin = 0.01;
  double tau = 0.2;
  double lr = 1e-2;

  void validate() const {
    require_option(centres >= 1 && centres <= 100, "--soft-triple-centres", static_cast<double>(centres),
                   "in [1, 100]");
    require_option(lambda > 0, "--soft-triple-lambda", lambda, "above 0");
    require_option(gamma > 0, "--soft-triple-gamma", gamma, "above 0");
    require_option(margin >= 0, "--soft-triple-margin", margin, "0 or more");
    require_option(tau >= 0, "--soft-triple-tau", tau, "0 or more");
    require_option(lr > 0, "--soft-triple-lr", lr, "above 0");
  }
  template <typename Self, typename Visitor>
  static void fields(Self& self, const Visitor& visit) {
    visit("centres", self.centres, "SoftTriple: centres of each class (many classes: 2)");
    visit("lambda", self.lambda, "SoftTriple: scale of the logits");
    visit("gamma", self.gamma, "SoftTriple: temperature over the centres of a class");
    visit("margin", self.margin, "SoftTriple: margin of the own class");
    visit("tau", self.tau, "SoftTriple: weight of the term that merges centres");
    visit("lr", self.lr, "SoftTriple: Adam's rate for the centres");
  }
};

class SoftTripleLoss : public ClassVectorLoss {
 public:
  SoftTripleLoss(torch::Tensor centres, const SoftTripleOptions& options)
      : ClassVectorLoss(std::move(centres), options.lr), options_(options) {
    options_.validate();
  }

  torch::Tensor operator()(const LossBatch& batch) override {
    const auto similarity = torch::mm(batch.embeddings, unit_rows(vectors()).t())
                                .view({batch.embeddings.size(0), -1, options_.centres});
    const auto relaxed = ((similarity / options_.gamma).softmax(2) * similarity).sum(2);
    const auto own = torch::one_hot(batch.labels, relaxed.size(1)).to(relaxed.dtype());
    return cross_entropy_of(options_.lambda * (relaxed - options_.margin * own), batch.labels);
  }

  // Draws the centres of a class together.
  torch::Tensor penalty(const LossBatch&) override {
    const auto k = options_.centres;
    if (k < 2) return {};
    const auto centres = unit_rows(vectors()).view({-1, k, vectors().size(1)});
    const auto pairs = torch::triu(torch::ones({k, k}, centres.options().requires_grad(false)), 1) > 0;
    const auto distance =
        (2 + 1e-5 - 2 * torch::bmm(centres, centres.transpose(1, 2))).clamp_min(1e-12).sqrt();
    const auto sum = distance.masked_fill(~pairs, 0).sum();
    return options_.tau * sum / static_cast<double>(centres.size(0) * k * (k - 1));
  }

 private:
  SoftTripleOptions options_;
};

}  // namespace

ObjectiveComponent soft_triple_objective() {
  auto component = objective_component<SoftTripleOptions>(
      "soft-triple", "soft_triple", [](MethodParts& parts, const SoftTripleOptions& options) {
        const auto rows = parts.classes * options.centres;
        const VectorStart start{.scale = 1 / std::sqrt(static_cast<double>(rows)), .uniform = true};
        auto centres = drawn_rows(rows, parts.network.model().dimension(), start, parts.config.seed,
                                  "train/soft-triple");
        return std::make_unique<SoftTripleLoss>(on_device(centres, parts.network.device()), options);
      });
  component.description = "softmax over several centres of every class";
  component.state = "centres of each class";
  component.source = "Qian et al. 2019";
  component.of_samples = true;
  return component;
}

}  // namespace procsim::train
