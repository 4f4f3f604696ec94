#include "data/sets/fieldguide/canvas.hpp"

namespace procsim::fieldguide {

Vec View::to_drawing(Vec pixel) const {
  Vec p{pixel.x - centre.x, centre.y - pixel.y};
  if (mirrored) p.x = -p.x;
  return along(p, axis) * (1 / scale);
}

Vec View::to_canvas(Vec point) const {
  Vec p = (axis * point.x + left_of(axis) * point.y) * scale;
  if (mirrored) p.x = -p.x;
  return {centre.x + p.x, centre.y - p.y};
}

Canvas::Canvas(int side) : side_(side), pixels_(static_cast<std::size_t>(side) * side) {}

Canvas::PixelBox Canvas::pixel_box(const View& view, const Box& box) const {
  const Vec corners[] = {view.to_canvas({box.left, box.bottom}), view.to_canvas({box.left, box.top}),
                         view.to_canvas({box.right, box.bottom}), view.to_canvas({box.right, box.top})};
  const auto seen = bounds(corners);
  const auto limited = [&](float value) { return std::clamp(static_cast<int>(std::floor(value)), 0, side_); };
  return {limited(seen.left - 1), limited(seen.bottom - 1), limited(seen.right + 2), limited(seen.top + 2)};
}

Image Canvas::image() const {
  Image image{side_, side_, {}};
  image.rgb.reserve(3 * pixels_.size());
  for (const auto& pixel : pixels_) {
    for (const float value : {pixel.r, pixel.g, pixel.b}) {
      image.rgb.push_back(static_cast<std::uint8_t>(std::lround(clamp01(value) * 255)));
    }
  }
  return image;
}

}  // namespace procsim::fieldguide
