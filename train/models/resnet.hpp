#pragma once

#include <memory>

#include "train/models/backbone.hpp"

namespace procsim::train {

// ResNet-18 and ResNet-50 (v1.5: the stride in the 3×3 convolution) with torchvision's parameter names.
std::shared_ptr<Backbone> make_resnet18();
std::shared_ptr<Backbone> make_resnet50();

}  // namespace procsim::train
