#include "train/frame/component.hpp"
#include "train/losses/contrastive.hpp"
#include "train/losses/super_loss.hpp"

namespace procsim::train {

ObjectiveComponent contrastive_objective() {
  ObjectiveComponent component;
  component.name = "contrastive";
  component.description = "distances of pairs against two margins";
  component.source = "Chopra et al. 2005";
  component.make = [](MethodParts&) { return std::make_unique<ContrastiveLoss>(); };
  component.make_with_pair_confidence = [](MethodParts& parts) {
    return std::make_unique<SuperLoss>(SuperLossOptions{.contrastive = {}, .lambda = parts.config.lambda});
  };
  return component;
}

}  // namespace procsim::train
