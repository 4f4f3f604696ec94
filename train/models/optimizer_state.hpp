#pragma once

#include <string>
#include <utility>
#include <vector>

#include "train/models/safetensors.hpp"

namespace procsim::train {

using NamedParameters = std::vector<std::pair<std::string, torch::Tensor>>;

// What an Adam, AdamW or SGD optimiser remembers of each parameter, as tensors under `prefix`. Exact: a
// restored optimiser continues bit for bit.
void save_optimizer(const torch::optim::Optimizer& optimizer, const NamedParameters& parameters,
                    const std::string& prefix, TensorFile& file);
// Throws Error naming `source` when the state of a parameter is missing or has another shape.
void restore_optimizer(torch::optim::Optimizer& optimizer, const NamedParameters& parameters,
                       const std::string& prefix, const TensorFile& file, const std::string& source);

}  // namespace procsim::train
