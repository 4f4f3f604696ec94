#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "train/settings/config.hpp"
#include "train/settings/machine.hpp"

namespace procsim::train {

// Pretrained models that something starts from, by their names in the model folder.
struct ModelNeeds {
  std::string backbone{};                // whose own weights it starts from; empty: none of the folder's
  std::string classifier{};              // the guidance's ImageNet classifier; empty: none of the folder's
  std::filesystem::path text_encoder{};  // a folder; empty: none
};

// What a run of this configuration needs. Files that the configuration names are no matter of the folder.
ModelNeeds models_of_run(const TrainConfig& config, const MachineOptions& machine);

// Throws one Error that names all of them that are not there, and how each is to be had.
void require_models(const ModelNeeds& needs, const std::filesystem::path& folder);

// A text encoder's folder, or that of its name in the model folder.
std::filesystem::path text_encoder_folder(const std::string& encoder, const std::filesystem::path& folder);

// The weights file that an option names, or else the one in the folder that `need` asks for. Throws Error
// where there is none.
std::filesystem::path require_weights(const std::string& option, const std::string& given,
                                      const ModelNeeds& need, const std::filesystem::path& folder);

}  // namespace procsim::train
