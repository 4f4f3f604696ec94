#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "train/settings/architecture.hpp"

namespace procsim::train {

// An architecture that --backbone knows, with its weights in a folder of models where they are there.
struct ListedModel {
  const Architecture* architecture = nullptr;
  std::optional<std::filesystem::path> file;
  std::uint64_t bytes = 0;
  std::string source;  // what the file says of where it comes from; may be empty
  std::string damage;  // why the file cannot be read; empty: it can
};

// All of them, in the order of architectures(). Reads headers only.
std::vector<ListedModel> list_models(const std::filesystem::path& folder);

}  // namespace procsim::train
