#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace procsim::train {

// The pretrained weights of a backbone in a folder of models: NAME.safetensors, or NAME.fp16.safetensors.
std::optional<std::filesystem::path> find_weights(const std::filesystem::path& folder,
                                                  const std::string& backbone);

// What untrained features of these backbones are worth, best first: Recall@1 on the training classes of
// CUB-200-2011 (docs/results.md). Backbones that have not been measured are not among them.
const std::vector<std::string>& backbones_by_quality();

// The best of them whose weights are in the folder; nothing if none is.
std::optional<std::string> best_backbone(const std::filesystem::path& folder);

}  // namespace procsim::train
