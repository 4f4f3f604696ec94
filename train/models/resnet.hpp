#pragma once

#include <memory>

#include "train/models/backbone.hpp"

namespace procsim::train {

// ResNet-18, 34, 50 and 101 with torchvision's parameter names. Stages: stem, layer1 … layer4.
std::shared_ptr<Backbone> make_resnet(const Architecture& architecture, const ResNetOptions& options);

}  // namespace procsim::train
