#pragma once

#include <vector>

#include "data/labels/scores.hpp"
#include "train/models/torch_types.hpp"

namespace procsim::train {

// Writes beside each row its place on a map: the first two principal axes of the embeddings (prepare_rows), a
// row each, in order.
void fill_places(const torch::Tensor& embeddings, std::vector<ScoreRow>& rows);

}  // namespace procsim::train
