#include "train/losses/ahs.hpp"

#include "train/frame/component.hpp"
#include "train/frame/option_check.hpp"
#include "train/losses/pair_sums.hpp"

namespace procsim::train {
namespace {

// Of every anchor, or of every anchor with every other sample. Without gradients.
struct AhsMargins {
  torch::Tensor own;       // to its second view: the least similarity inside its class
  torch::Tensor positive;  // to its class
  torch::Tensor negative;  // B × B, to other classes
};

AhsMargins margins_of(const torch::Tensor& similarity, const torch::Tensor& labels, double gamma) {
  const auto fixed = similarity.detach();
  const auto mapped = [](const torch::Tensor& s) { return 0.1 * (1 + s); };
  const auto same = labels.unsqueeze(1) == labels.unsqueeze(0);
  const auto others =
      same & ~torch::eye(labels.size(0), torch::TensorOptions(torch::kBool).device(labels.device()));
  const auto in_class = same.to(fixed.dtype());
  const auto count = in_class.sum(1);
  // Rows of `in_class` over all pairs of two classes: Σ_{i∈a, j∈b} s_ij.
  const auto sums = torch::mm(torch::mm(in_class, fixed), in_class);
  const auto pairs = (count * (count - 1)).clamp_min(1);
  const auto inside = torch::mm(in_class, fixed.masked_fill(~others, 0)).masked_fill(~same, 0).sum(1) / pairs;
  constexpr double kAbove = 2;
  const auto least = std::get<0>(fixed.masked_fill(~others, kAbove).min(1));
  const auto least_of_class =
      std::get<0>(least.unsqueeze(0).expand_as(same).masked_fill(~same, kAbove).min(1));
  const auto alone = count < 2;
  return {torch::where(alone, torch::full_like(count, gamma), least_of_class),
          gamma + torch::where(alone, torch::full_like(count, 0.1), mapped(inside)),
          gamma - mapped(sums / (count.unsqueeze(1) * count.unsqueeze(0)))};
}

torch::Tensor mean_of_masked(const torch::Tensor& terms, const torch::Tensor& mask) {
  const auto rows = [](const torch::Tensor& values) { return values.flatten(1).sum(1); };
  return rows(terms * mask.to(terms.dtype())) / rows(mask.to(terms.dtype())).clamp_min(1);
}

class AhsLoss : public Objective {
 public:
  AhsLoss(Network& network, const AhsOptions& options) : network_(network), options_(options) {
    options_.validate();
  }

  std::int64_t views() const override { return 2; }
  torch::Tensor operator()(const LossBatch& batch) override {
    if (batch.step == nullptr) return ahs_values(batch, batch.embeddings, options_);
    return ahs_values(batch, network_.forward(batch.step->views.at(1), batch.step->stage), options_);
  }

 private:
  Network& network_;
  AhsOptions options_;
};

}  // namespace

void AhsOptions::validate() const {
  require_choice("--ahs-form", form, {"ms", "triplet", "lifted"});
  require_option(gamma > 0 && gamma < 1, "--ahs-gamma", gamma, "in (0, 1)");
}

torch::Tensor ahs_values(const LossBatch& batch, const torch::Tensor& views, const AhsOptions& options) {
  const auto similarity = torch::mm(batch.embeddings, batch.embeddings.t());
  const auto to_view = (batch.embeddings * views).sum(1);
  const auto [positive, negative] = pair_masks(batch);
  const auto margins = margins_of(similarity, batch.labels, options.gamma);
  const auto& weights = batch.partner_confidence;
  const auto pull = margins.positive.unsqueeze(1) - similarity;
  const auto push = similarity - margins.negative;
  const auto view = margins.own - to_view;
  if (options.form == "ms")
    return torch::softplus(2 * view) / 2 + log_one_plus_sum(2 * pull, positive, weights) / 2 +
           log_one_plus_sum(40 * push, negative, weights) / 40;
  if (options.form == "triplet") {
    const auto pairs = (push.unsqueeze(1) + pull.unsqueeze(2)).clamp_min(0);
    return mean_of_masked(pairs, positive.unsqueeze(2) & negative.unsqueeze(1)) +
           mean_of_masked((push + view.unsqueeze(1)).clamp_min(0), negative);
  }
  const auto near = torch::logaddexp(log_sum(pull, positive, weights), view);
  return (near + log_sum(push, negative, weights)).clamp_min(0);
}

ObjectiveComponent ahs_objective() {
  auto component =
      objective_component<AhsOptions>("ahs", "ahs", [](MethodParts& parts, const AhsOptions& options) {
        return std::make_unique<AhsLoss>(parts.network, options);
      });
  component.description = "margins that follow the classes of the batch, two views of every sample";
  component.source = "Yan et al. 2021, in our reading";
  return component;
}

}  // namespace procsim::train
