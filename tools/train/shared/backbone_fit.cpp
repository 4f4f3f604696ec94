#include "tools/train/shared/backbone_fit.hpp"

#include "train/settings/architecture.hpp"
#include "train/settings/fine_tuning.hpp"
#include "train/settings/model_folder.hpp"

namespace procsim::tools {

std::string preset_backbone(const train::TrainConfig& preset, const std::filesystem::path& models) {
  if (!train::takes_best_backbone(preset.preset, preset.backbone)) return preset.backbone;
  return train::best_backbone(models).value_or(preset.backbone);
}

void fit_to_backbone(nlohmann::ordered_json& json, const IsGiven& is_given, const train::TrainConfig& preset,
                     const std::string& backbone) {
  json["backbone"] = backbone;
  const auto set = [&](const char* field, const auto& value) {
    if (!is_given(field)) json[field] = value;
  };
  if (const auto* tuned = train::find_fine_tuning(backbone);
      tuned != nullptr && train::takes_best_backbone(preset.preset, preset.backbone)) {
    set("train_from", tuned->train_from);
    set("image_size", tuned->image_size);
    set("centre_crop", tuned->centre_crop);
    return;
  }
  const auto* published = train::find_architecture(backbone);
  if (published == nullptr || published->name == "small") return;
  set("image_size", published->input.size);
  set("centre_crop",
      static_cast<double>(published->input.size) / static_cast<double>(published->input.resize));
}

}  // namespace procsim::tools
