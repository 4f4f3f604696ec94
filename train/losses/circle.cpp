#include <cmath>

#include "train/frame/component.hpp"
#include "train/frame/option_check.hpp"
#include "train/losses/pair_sums.hpp"

namespace procsim::train {
namespace {

struct CircleOptions {
  double margin = 0.4;
  double gamma = 80;
  bool pooled = false;

  void validate() const {
    require_option(margin > 0 && margin < 1, "--circle-margin", margin, "in (0, 1)");
    require_option(gamma > 0, "--circle-gamma", gamma, "above 0");
  }
  template <typename Self, typename Visitor>
  static void fields(Self& self, const Visitor& visit) {
    visit("margin", self.margin, "Circle: m (retrieval 0.4, faces 0.25)");
    visit("gamma", self.gamma, "Circle: scale (retrieval 80, faces 256)");
    visit("pooled", self.pooled, "Circle: all pairs of the batch in one term (true or false)");
  }
};

class CircleLoss : public Objective {
 public:
  explicit CircleLoss(const CircleOptions& options) : options_(options) { options_.validate(); }

  torch::Tensor operator()(const LossBatch& batch) override {
    const auto similarity = torch::mm(batch.embeddings, batch.embeddings.t());
    const auto [positive, negative] = pair_masks(batch);
    const auto& weights = batch.partner_confidence;
    const double m = options_.margin;
    const auto fixed = similarity.detach();
    const auto pull = -options_.gamma * (1 + m - fixed).clamp_min(0) * (similarity - 1 + m);
    const auto push = options_.gamma * (fixed + m).clamp_min(0) * (similarity - m);
    const auto near = log_sum(pull, positive, weights);
    const auto far = log_sum(push, negative, weights);
    if (options_.pooled) return pooled(near, far);
    const auto value = torch::softplus(near + far);
    return mean_over(value, positive.any(1) & negative.any(1) & (value > 0));
  }

 private:
  // One term of the batch, shared out by how much of it comes from the pairs of each anchor.
  static torch::Tensor pooled(const torch::Tensor& near, const torch::Tensor& far) {
    const auto twice = 2 * std::log(2.0);  // every pair stands in both directions
    const auto value = torch::softplus(near.logsumexp(0) + far.logsumexp(0) - twice);
    const auto share = (near.softmax(0) + far.softmax(0)).detach() / 2;
    return value * share * near.size(0);
  }

  CircleOptions options_;
};

}  // namespace

ObjectiveComponent circle_objective() {
  auto component = objective_component<CircleOptions>(
      "circle", "circle",
      [](MethodParts&, const CircleOptions& options) { return std::make_unique<CircleLoss>(options); });
  component.description = "pairs weighted by how far they are from where they should be";
  component.source = "Sun et al. 2020";
  return component;
}

}  // namespace procsim::train
