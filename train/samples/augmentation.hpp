#pragma once

#include "data/base/keyed_random.hpp"
#include "data/images/image.hpp"

namespace procsim::train {

// A rectangle of an image, perhaps mirrored, that becomes a square network input.
struct CropView {
  int x = 0, y = 0, width = 0, height = 0;
  bool mirrored = false;
};

// RandomResizedCrop: an area drawn from [least_area, 1] of the image with an aspect from [3/4, 4/3], tried
// ten times, else the largest centred crop. `mirror` draws a flip.
CropView random_crop_view(ImageSize image, double least_area, bool mirror, Draws& draws);

// The centred square whose side is `part` of the shorter side.
CropView centre_crop_view(ImageSize image, double part);

// Cuts, resamples to size × size, mirrors.
Image render_view(const Image& image, const CropView& view, int size,
                  Resampling resampling = Resampling::kBilinear);

}  // namespace procsim::train
