#pragma once

#include <memory>

#include "train/models/backbone.hpp"

namespace procsim::train {

// A vision transformer with timm's parameter names: DINOv2 (layer scale, registers, gated MLP), DeiT, ViT,
// and CLIP's image tower (`projection.weight` is its last product). Takes any input that holds a patch;
// pixels behind the last whole patch are not seen. Stages: patches, block0 …, top. The last block gives the
// class token alone, the only one that is read after it; `top` normalises and projects it.
std::shared_ptr<Backbone> make_vision_transformer(const Architecture& architecture,
                                                  const VisionTransformerOptions& options);

}  // namespace procsim::train
