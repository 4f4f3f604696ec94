#include "data/sets/fieldguide/geometry.hpp"

namespace procsim::fieldguide {

float distance(Vec p, const Cone& cone) {
  const Vec from = p - cone.a;
  const Vec axis = cone.b - cone.a;
  const float h = dot(axis, axis);
  const float slope = cone.radius_a - cone.radius_b;
  if (h <= slope * slope + 1e-9f) {  // one circle holds the other
    return std::min(length(from) - cone.radius_a, length(p - cone.b) - cone.radius_b);
  }
  // Along the tangent (c), the three cases are: nearest to circle a, to circle b, to the tangent itself.
  const Vec q{std::abs(dot(from, Vec{axis.y, -axis.x})) / h, dot(from, axis) / h};
  const Vec c{std::sqrt(h - slope * slope), slope};
  const float k = cross(c, q);
  if (k < 0) return length(from) - cone.radius_a;
  if (k > c.x) return length(p - cone.b) - cone.radius_b;
  return dot(c, q) - cone.radius_a;
}

float distance(Vec p, std::span<const Vec> polygon) {
  float nearest = dot(p - polygon[0], p - polygon[0]);
  bool inside = false;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    const Vec edge = polygon[j] - polygon[i];
    const Vec from = p - polygon[i];
    const Vec off = from - edge * clamp01(dot(from, edge) / std::max(dot(edge, edge), 1e-9f));
    nearest = std::min(nearest, dot(off, off));
    if ((polygon[i].y > p.y) != (polygon[j].y > p.y) &&
        p.x < polygon[i].x + edge.x * (p.y - polygon[i].y) / edge.y) {
      inside = !inside;
    }
  }
  return inside ? -std::sqrt(nearest) : std::sqrt(nearest);
}

float smooth_union(float a, float b, float k) {
  if (k <= 0) return std::min(a, b);
  const float h = std::max(k - std::abs(a - b), 0.0f) / k;
  return std::min(a, b) - h * h * k * 0.25f;
}

void Box::include(Vec p, float radius) {
  left = std::min(left, p.x - radius);
  right = std::max(right, p.x + radius);
  bottom = std::min(bottom, p.y - radius);
  top = std::max(top, p.y + radius);
}

Box bounds(const Cone& cone) {
  Box box{cone.a.x, cone.a.y, cone.a.x, cone.a.y};
  box.include(cone.a, cone.radius_a);
  box.include(cone.b, cone.radius_b);
  return box;
}

Box bounds(std::span<const Vec> polygon) {
  Box box{polygon[0].x, polygon[0].y, polygon[0].x, polygon[0].y};
  for (const auto p : polygon) box.include(p, 0);
  return box;
}

Box united(const Box& a, const Box& b) {
  return {std::min(a.left, b.left), std::min(a.bottom, b.bottom), std::max(a.right, b.right),
          std::max(a.top, b.top)};
}

Vec on_curve(Vec a, Vec b, Vec c, float k) { return mix(mix(a, b, k), mix(b, c, k), k); }

float lattice_noise(std::int32_t x, std::int32_t y, std::uint32_t seed) {
  std::uint32_t h =
      seed ^ (static_cast<std::uint32_t>(x) * 0x9E3779B1u) ^ (static_cast<std::uint32_t>(y) * 0x85EBCA77u);
  h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
  h = (h ^ (h >> 12)) * 0x297A2D39u;
  h ^= h >> 15;
  return static_cast<float>(h >> 8) * (1.0f / 16777216.0f);
}

float smooth_noise(Vec p, std::uint32_t seed) {
  const float floor_x = std::floor(p.x);
  const float floor_y = std::floor(p.y);
  const auto x = static_cast<std::int32_t>(floor_x);
  const auto y = static_cast<std::int32_t>(floor_y);
  const float u = smoothstep(0, 1, p.x - floor_x);
  const float v = smoothstep(0, 1, p.y - floor_y);
  return mix(mix(lattice_noise(x, y, seed), lattice_noise(x + 1, y, seed), u),
             mix(lattice_noise(x, y + 1, seed), lattice_noise(x + 1, y + 1, seed), u), v);
}

float cloud_noise(Vec p, std::uint32_t seed) {
  return (4 * smooth_noise(p, seed) + 2 * smooth_noise(p * 2.03f, seed + 1) +
          smooth_noise(p * 4.1f, seed + 2)) /
         7;
}

}  // namespace procsim::fieldguide
