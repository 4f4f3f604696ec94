#pragma once

#include <vector>

#include "data/images/image.hpp"
#include "data/sets/fieldguide/geometry.hpp"

namespace procsim::fieldguide {

struct Rgb {
  float r = 0, g = 0, b = 0;
};

constexpr Rgb from_hex(std::uint32_t hex) {
  return {static_cast<float>((hex >> 16) & 255) / 255, static_cast<float>((hex >> 8) & 255) / 255,
          static_cast<float>(hex & 255) / 255};
}
inline Rgb operator*(Rgb a, float k) { return {a.r * k, a.g * k, a.b * k}; }
inline Rgb operator*(Rgb a, Rgb b) { return {a.r * b.r, a.g * b.g, a.b * b.b}; }
inline Rgb mix(Rgb a, Rgb b, float k) { return {mix(a.r, b.r, k), mix(a.g, b.g, k), mix(a.b, b.b, k)}; }

// Where a drawing's own coordinates (y up) lie on the canvas (pixels, y down).
struct View {
  Vec centre;       // on the canvas, of the drawing's origin
  float scale = 1;  // pixels per unit
  Vec axis{1, 0};   // where its x axis points, y up, of length 1
  bool mirrored = false;

  Vec to_drawing(Vec pixel) const;
  Vec to_canvas(Vec point) const;
};

// A square picture in the making. Colours stay between 0 and 1.
class Canvas {
 public:
  explicit Canvas(int side);

  int side() const { return side_; }
  Rgb& at(int x, int y) { return pixels_[static_cast<std::size_t>(y) * side_ + x]; }

  const Rgb& at(int x, int y) const { return pixels_[static_cast<std::size_t>(y) * side_ + x]; }

  // colour(pixel centre) for every pixel.
  template <typename Colour>
  void fill(const Colour& colour) {
    for (int y = 0; y < side_; ++y) {
      for (int x = 0; x < side_; ++x) at(x, y) = colour(Vec{x + 0.5f, y + 0.5f});
    }
  }

  // Lays a shape over the picture, with soft edges a pixel wide. `shape(point)` is the distance to its edge
  // and `colour(point, depth)` its colour, both in the drawing's coordinates; `box` encloses the shape.
  template <typename Shape, typename Colour>
  void paint(const View& view, const Box& box, const Shape& shape, const Colour& colour, float opacity = 1) {
    const auto pixels = pixel_box(view, box);
    for (int y = pixels.top; y < pixels.bottom; ++y) {
      for (int x = pixels.left; x < pixels.right; ++x) {
        const Vec point = view.to_drawing({x + 0.5f, y + 0.5f});
        const float depth = -shape(point);
        const float cover = clamp01(0.5f + depth * view.scale) * opacity;
        if (cover <= 0) continue;
        auto& pixel = at(x, y);
        pixel = mix(pixel, colour(point, depth), cover);
      }
    }
  }

  Image image() const;

 private:
  struct PixelBox {
    int left, top, right, bottom;
  };
  PixelBox pixel_box(const View& view, const Box& box) const;

  int side_;
  std::vector<Rgb> pixels_;
};

}  // namespace procsim::fieldguide
