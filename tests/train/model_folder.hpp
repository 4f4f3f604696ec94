#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "tests/support/test_files.hpp"
#include "train/settings/model_folder.hpp"

namespace procsim::test {

// Where scripts/setup.sh --models puts pretrained models.
inline std::filesystem::path model_folder() {
  const char* models = std::getenv("PROCSIM_MODELS");
  return models != nullptr ? std::filesystem::path(models) : source_folder() / "build/models";
}

// The weights of a backbone, there or beside the project (../shared/models).
inline std::optional<std::filesystem::path> weights_of(const std::string& backbone) {
  if (const auto own = train::find_weights(model_folder(), backbone)) return own;
  const auto beside = shared_data("models");
  return beside ? train::find_weights(*beside, backbone) : std::nullopt;
}

inline std::optional<std::filesystem::path> text_model_folder() {
  const auto folder = model_folder() / "all-minilm-l6-v2";
  if (!std::filesystem::exists(folder / "model.safetensors")) return std::nullopt;
  return folder;
}

}  // namespace procsim::test
