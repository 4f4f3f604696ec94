#pragma once

// Points, signed distances (negative inside) and noise for the fieldguide's pictures.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace procsim::fieldguide {

struct Vec {
  float x = 0, y = 0;
};

inline Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y}; }
inline Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y}; }
inline Vec operator*(Vec a, float k) { return {a.x * k, a.y * k}; }
inline float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y; }
inline float cross(Vec a, Vec b) { return a.x * b.y - a.y * b.x; }
inline float length(Vec a) { return std::sqrt(dot(a, a)); }
inline Vec normalized(Vec a) { return a * (1.0f / std::max(length(a), 1e-6f)); }
inline Vec left_of(Vec a) {
  return {-a.y, a.x};
}  // turned by 90 degrees, counter-clockwise where y points up
inline Vec direction(float degrees) {
  const float radians = degrees * 0.017453293f;
  return {std::cos(radians), std::sin(radians)};
}
// The coordinates of `a` along `axis` (of length 1) and across it, to its left.
inline Vec along(Vec a, Vec axis) { return {dot(a, axis), cross(axis, a)}; }

inline float mix(float a, float b, float k) { return a + (b - a) * k; }
inline Vec mix(Vec a, Vec b, float k) { return a + (b - a) * k; }
inline float clamp01(float x) { return std::clamp(x, 0.0f, 1.0f); }
// 0 at `from`, 1 at `to`, smooth between; `from` may be the larger one.
inline float smoothstep(float from, float to, float x) {
  const float k = clamp01((x - from) / (to - from));
  return k * k * (3 - 2 * k);
}
// 1 between low and high, falling off over `soft` on either side.
inline float within(float low, float high, float soft, float x) {
  return smoothstep(low - soft, low + soft, x) * smoothstep(high + soft, high - soft, x);
}

// Two circles and what lies between their common tangents.
struct Cone {
  Vec a;
  float radius_a = 0;
  Vec b;
  float radius_b = 0;
};

float distance(Vec p, const Cone& cone);
float distance(Vec p, std::span<const Vec> polygon);
// The union of two shapes, with the crease between them filled over about `k`.
float smooth_union(float a, float b, float k);

struct Box {
  float left = 0, bottom = 0, right = 0, top = 0;

  void include(Vec p, float radius);
};
Box bounds(const Cone& cone);
Box bounds(std::span<const Vec> polygon);
Box united(const Box& a, const Box& b);

// A point on the quadratic curve from `a` to `c` that `b` pulls.
Vec on_curve(Vec a, Vec b, Vec c, float k);

// Repeatable noise over the plane, in [0, 1).
float lattice_noise(std::int32_t x, std::int32_t y, std::uint32_t seed);  // white
float smooth_noise(Vec p, std::uint32_t seed);                            // features about 1 wide
float cloud_noise(Vec p, std::uint32_t seed);                             // three octaves

}  // namespace procsim::fieldguide
