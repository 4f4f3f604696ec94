#pragma once

#include <vector>

#include "data/noise_model/folds.hpp"
#include "train/models/torch.hpp"

namespace procsim::train {

// Embeddings of all training samples by networks that have each not seen the labels of one fold.
struct FoldEmbeddings {
  FoldPlan plan;
  std::vector<torch::Tensor> embeddings;  // a fold each; a row per training sample
};

}  // namespace procsim::train
