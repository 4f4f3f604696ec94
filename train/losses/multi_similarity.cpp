#include "train/losses/multi_similarity.hpp"

#include <limits>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "train/frame/component.hpp"
#include "train/losses/pair_sums.hpp"

namespace procsim::train {

void MultiSimilarityLossOptions::validate() const {
  if (!(alpha > 0)) throw UsageError(fmt::format("--ms-alpha {}: must be above 0", alpha));
  if (!(beta > 0)) throw UsageError(fmt::format("--ms-beta {}: must be above 0", beta));
  if (!(epsilon >= 0)) throw UsageError(fmt::format("--ms-epsilon {}: must be 0 or more", epsilon));
}

MultiSimilarityLoss::MultiSimilarityLoss(const MultiSimilarityLossOptions& options) : options_(options) {
  options_.validate();
}

torch::Tensor MultiSimilarityLoss::operator()(const LossBatch& batch) {
  const auto similarity = torch::mm(batch.embeddings, batch.embeddings.t());
  auto [positive, negative] = pair_masks(batch);
  if (options_.mining) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const auto fixed = similarity.detach();
    const auto hardest_negative = std::get<0>(fixed.masked_fill(~negative, -infinity).max(1, true));
    const auto hardest_positive = std::get<0>(fixed.masked_fill(~positive, infinity).min(1, true));
    positive = positive & (fixed - options_.epsilon < hardest_negative);
    negative = negative & (fixed + options_.epsilon > hardest_positive);
  }
  const auto above = similarity - options_.delta;
  const auto& weights = batch.partner_confidence;
  const auto value = log_one_plus_sum(-options_.alpha * above, positive, weights) / options_.alpha +
                     log_one_plus_sum(options_.beta * above, negative, weights) / options_.beta;
  const auto both = positive.any(1) & negative.any(1);
  return torch::where(both, value, torch::zeros_like(value));
}

ObjectiveComponent multi_similarity_objective() {
  ObjectiveComponent component;
  component.name = "ms";
  component.description = "Multi-Similarity: pairs weighted by how hard they are, mined";
  component.source = "Wang et al. 2019";
  component.options = option_infos<MultiSimilarityLossOptions>("ms");
  component.check = option_check<MultiSimilarityLossOptions>("ms");
  component.make = [](MethodParts& parts) {
    return std::make_unique<MultiSimilarityLoss>(
        read_options<MultiSimilarityLossOptions>(parts.config, "ms"));
  };
  return component;
}

}  // namespace procsim::train
