#pragma once

#include <filesystem>
#include <optional>

#include "tools/program/program.hpp"
#include "train/samples/train_data.hpp"

namespace procsim::tools {

// The class tree as evidence for the scores: `file`, which must have the label set's classes (else Error), or
// the workspace's newest of the data set, where it fits.
void attach_taxonomy(train::TrainData& data, const GlobalOptions& global,
                     const std::optional<std::filesystem::path>& file = std::nullopt);

}  // namespace procsim::tools
