#pragma once

#include <memory>

#include "train/models/backbone.hpp"

namespace procsim::train {

// EfficientNet-Lite0 (ReLU6, no squeeze-and-excitation, TensorFlow's SAME padding) with timm's parameter
// names (tf_efficientnet_lite0). Pixels are (x − 127) / 128, as the weights of the package index were
// trained. Stages: stem, block0 … block15, top.
std::shared_ptr<Backbone> make_efficientnet_lite0();

}  // namespace procsim::train
