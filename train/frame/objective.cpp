#include "train/frame/objective.hpp"

namespace procsim::train {

PairMasks pair_masks(const LossBatch& batch) {
  const auto same = batch.labels.unsqueeze(1) == batch.labels.unsqueeze(0);
  const auto self = torch::eye(same.size(0), torch::TensorOptions(torch::kBool).device(same.device()));
  PairMasks masks{same & ~self, ~same};
  if (batch.partner_confidence.defined()) {
    const auto trusted = (batch.partner_confidence > 0.5).unsqueeze(0);
    masks.positive = masks.positive & trusted;
    masks.negative = masks.negative & trusted;
  }
  return masks;
}

}  // namespace procsim::train
