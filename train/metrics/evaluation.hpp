#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "train/models/torch.hpp"
#include "train/settings/config.hpp"

namespace procsim::train {

// Names and values, e.g. recall@1, r_precision, map@r, nmi. `labels` a class per row of `embeddings` (unit
// rows). Throws Error for embeddings that hold NaN or are all the same: every figure would be meaningless.
std::vector<std::pair<std::string, double>> evaluate_embeddings(const torch::Tensor& embeddings,
                                                                std::span<const std::int64_t> labels,
                                                                const TrainConfig& config);

}  // namespace procsim::train
