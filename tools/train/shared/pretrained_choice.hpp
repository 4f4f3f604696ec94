#pragma once

#include <optional>
#include <string>

#include "tools/program/program.hpp"
#include "train/settings/config.hpp"
#include "train/settings/machine.hpp"

namespace procsim::tools {

// The untrained network that --no-train takes features from.
struct PretrainedChoice {
  std::string backbone;                    // empty: the best whose weights are there
  std::optional<std::int64_t> image_size;  // else as the backbone was published
  std::string precision = "auto";
};
void add_pretrained_options(CLI::App* command, PretrainedChoice& choice);

// The choice with a backbone in it, which is said if nobody named one. Throws Error where no weights are.
PretrainedChoice with_backbone(PretrainedChoice choice, const train::MachineOptions& machine,
                               const GlobalOptions& global);

// The backbone with the input that it was published with.
train::TrainConfig pretrained_config(const PretrainedChoice& choice);

}  // namespace procsim::tools
