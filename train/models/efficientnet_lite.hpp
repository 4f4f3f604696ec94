#pragma once

#include <memory>

#include "train/models/backbone.hpp"

namespace procsim::train {

// EfficientNet-Lite0 to 4 (ReLU6, no squeeze-and-excitation, TensorFlow's SAME padding) with timm's parameter
// names (tf_efficientnet_lite0 …). Stages: stem, block0 …, top.
std::shared_ptr<Backbone> make_efficientnet_lite(const Architecture& architecture,
                                                 const EfficientNetLiteOptions& options);

}  // namespace procsim::train
