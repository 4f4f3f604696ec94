#include "train/settings/model_folder.hpp"

namespace procsim::train {

namespace fs = std::filesystem;

std::optional<fs::path> find_weights(const fs::path& folder, const std::string& backbone) {
  for (const char* ending : {".safetensors", ".fp16.safetensors"}) {
    auto path = folder / (backbone + ending);
    if (fs::exists(path)) return path;
  }
  return std::nullopt;
}

const std::vector<std::string>& backbones_by_quality() {
  static const std::vector<std::string> names{"dinov2-vits14", "efficientnet-lite0"};
  return names;
}

std::optional<std::string> best_backbone(const fs::path& folder) {
  for (const auto& name : backbones_by_quality())
    if (find_weights(folder, name)) return name;
  return std::nullopt;
}

}  // namespace procsim::train
