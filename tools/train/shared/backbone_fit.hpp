#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "train/settings/config.hpp"

namespace procsim::tools {

// Which fields of a configuration somebody has set.
using IsGiven = std::function<bool(const std::string& field)>;

// The preset's backbone, or where it leaves that open the best whose weights are there.
std::string preset_backbone(const train::TrainConfig& preset, const std::filesystem::path& models);

// Another network than the preset's: its own way of fine-tuning where the preset is one, else it is fed as it
// was published. Fields that were given stay.
void fit_to_backbone(nlohmann::ordered_json& json, const IsGiven& is_given, const train::TrainConfig& preset,
                     const std::string& backbone);

}  // namespace procsim::tools
