#include "train/samples/augmentation.hpp"

#include <algorithm>
#include <cmath>

namespace procsim::train {

CropView random_crop_view(ImageSize image, double least_area, bool mirror, Draws& draws) {
  // The flip is drawn first so that it does not depend on how many crops were tried.
  const bool mirrored = draws.uniform() < 0.5 && mirror;
  const double area = static_cast<double>(image.width) * image.height;
  const double aspect_range = std::log(4.0 / 3.0);
  for (int attempt = 0; attempt < 10; ++attempt) {
    const double target = area * (least_area + (1 - least_area) * draws.uniform());
    const double aspect = std::exp(aspect_range * (2 * draws.uniform() - 1));
    const int width = static_cast<int>(std::lround(std::sqrt(target * aspect)));
    const int height = static_cast<int>(std::lround(std::sqrt(target / aspect)));
    if (width < 1 || height < 1 || width > image.width || height > image.height) continue;
    const int x = static_cast<int>(draws.below(static_cast<std::uint64_t>(image.width - width) + 1));
    const int y = static_cast<int>(draws.below(static_cast<std::uint64_t>(image.height - height) + 1));
    return {x, y, width, height, mirrored};
  }
  // Too long or too tall for any of them: as much as the aspect allows, centred.
  const int width = std::min(image.width, static_cast<int>(std::lround(image.height * 4.0 / 3.0)));
  const int height = std::min(image.height, static_cast<int>(std::lround(image.width * 4.0 / 3.0)));
  return {(image.width - width) / 2, (image.height - height) / 2, width, height, mirrored};
}

CropView centre_crop_view(ImageSize image, double part) {
  const int side = std::max(1, static_cast<int>(std::lround(part * std::min(image.width, image.height))));
  return {(image.width - side) / 2, (image.height - side) / 2, side, side, false};
}

Image render_view(const Image& image, const CropView& view, int size, Resampling resampling) {
  auto result = resize(crop(image, view.x, view.y, view.width, view.height), size, size, resampling);
  if (!view.mirrored) return result;
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size / 2; ++x)
      std::swap_ranges(result.pixel(x, y), result.pixel(x, y) + 3, result.pixel(size - 1 - x, y));
  return result;
}

}  // namespace procsim::train
