#pragma once

#include "train/models/torch.hpp"

namespace procsim::train {

// What an ImageNet classifier says of the training images, in the order of the data.
struct ImageNetOutputs {
  torch::Tensor features;  // pooled
  torch::Tensor logits;    // 1,000
};

}  // namespace procsim::train
