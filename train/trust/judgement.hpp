#pragma once

#include "train/frame/sample_trust.hpp"
#include "train/thresholds/confidence.hpp"

namespace procsim::train {

// What a confidence rule made of losses, as a trust reports it: the loss under `column`, the weight as sigma,
// τ as threshold, and share_below, 1 where a loss is at or under τ.
std::vector<Quantity> confidence_quantities(const std::string& column, const std::string& title,
                                            bool threshold_of_column);
Trust confidence_trust(const std::string& column, std::vector<double> losses, BatchConfidence confidence);

// A tensor's values in double precision, on the CPU.
std::vector<double> doubles(const torch::Tensor& values);

}  // namespace procsim::train
