#include "train/frame/component.hpp"
#include "train/frame/option_check.hpp"
#include "train/losses/pair_sums.hpp"

namespace procsim::train {
namespace {

struct LiftedOptions {
  std::string form = "original";
  double margin = 1;  // α

  void validate() const {
    require_choice("--lifted-form", form, {"original", "generalised"});
    require_option(margin > 0, "--lifted-margin", margin, "above 0");
  }
  template <typename Self, typename Visitor>
  static void fields(Self& self, const Visitor& visit) {
    visit(
        "form", self.form,
        "Lifted structure: original (a squared hinge of each pair) or generalised (a hinge of each anchor)");
    visit("margin", self.margin, "Lifted structure: distance that negatives should keep");
  }
};

class LiftedLoss : public Objective {
 public:
  explicit LiftedLoss(const LiftedOptions& options) : options_(options) { options_.validate(); }

  torch::Tensor operator()(const LossBatch& batch) override {
    const auto distance = distances_of(torch::mm(batch.embeddings, batch.embeddings.t()));
    const auto [positive, negative] = pair_masks(batch);
    const auto& weights = batch.partner_confidence;
    const auto pushed = log_sum(options_.margin - distance, negative, weights);
    if (options_.form == "original") {
      const auto hinge = (torch::logaddexp(pushed.unsqueeze(1), pushed.unsqueeze(0)) + distance).clamp_min(0);
      auto terms = torch::where(positive, hinge.square() / 2, torch::zeros_like(hinge));
      if (weights.defined()) terms = terms * weights.unsqueeze(0);
      return terms.sum(1) * distance.size(0) / positive.sum().clamp_min(1);
    }
    // A side without pairs counts 0 inside the hinge.
    const auto side = [](const torch::Tensor& sum, const torch::Tensor& mask) {
      return torch::where(mask.any(1), sum, torch::zeros_like(sum));
    };
    return (side(log_sum(distance, positive, weights), positive) + side(pushed, negative)).clamp_min(0);
  }

 private:
  LiftedOptions options_;
};

}  // namespace

ObjectiveComponent lifted_objective() {
  auto component = objective_component<LiftedOptions>(
      "lifted", "lifted",
      [](MethodParts&, const LiftedOptions& options) { return std::make_unique<LiftedLoss>(options); });
  component.description = "lifted structure: every positive pair against all negatives of both";
  component.source = "Song et al. 2016, Hermans et al. 2017";
  return component;
}

}  // namespace procsim::train
