#pragma once

#include <memory>

#include "train/models/backbone.hpp"

namespace procsim::train {

// A Swin transformer with the parameter names of the original repository (patch merging of layer s at
// layers.{s}.downsample). Takes square inputs; a map that no whole windows cover is padded with zeros to the
// right and below, before it is rolled, as torchvision does. Stages: patches, block0 … through all layers,
// top; a block that ends its layer merges the patches too. Between stages go tokens, row by row.
std::shared_ptr<Backbone> make_swin(const Architecture& architecture, const SwinOptions& options);

}  // namespace procsim::train
