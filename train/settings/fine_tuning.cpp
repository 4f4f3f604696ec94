#include "train/settings/fine_tuning.hpp"

#include <algorithm>

namespace procsim::train {

const std::vector<FineTuning>& fine_tunings() {
  static const std::vector<FineTuning> all{
      {.backbone = "dinov2-vits14", .train_from = "block10", .image_size = 112, .centre_crop = 0.875},
      {.backbone = "efficientnet-lite0", .train_from = "block11", .image_size = 128, .centre_crop = 0.8},
  };
  return all;
}

const FineTuning* find_fine_tuning(std::string_view backbone) {
  const auto& all = fine_tunings();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.backbone == backbone; });
  return found == all.end() ? nullptr : &*found;
}

bool takes_best_backbone(std::string_view preset, std::string_view backbone) {
  return preset.ends_with("-best") && find_fine_tuning(backbone) != nullptr;
}

}  // namespace procsim::train
