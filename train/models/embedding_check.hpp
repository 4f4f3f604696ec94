#pragma once

#include <map>
#include <string>
#include <string_view>

#include "train/models/torch.hpp"

namespace procsim::train {

// Throws Error where embeddings (a row a sample) cannot be told apart or compared at all, because every
// figure made from them would look right: comparisons with NaN put every sample first. That is, where a
// number is not finite, or where there are several rows and all are the same to float's precision. `source`
// says whose they are and begins the message.
void check_embedding_values(const torch::Tensor& embeddings, std::string_view source);

// Throws Error that names the first of a model's tensors with a number that is not finite: one step too far
// that no loss has shown yet.
void check_weights(const std::map<std::string, torch::Tensor>& weights);

}  // namespace procsim::train
