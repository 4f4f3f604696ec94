#include "data/sets/fieldguide/scene.hpp"

namespace procsim::fieldguide {
namespace {

struct Mood {
  std::uint32_t above, below, accent;
};

constexpr Mood kMoods[] = {
    {0xB9D7EE, 0xE9F1F2, 0xFFFFFF},  // pale sky
    {0x86B4DE, 0xD5E5EC, 0xF6F8F8},  // blue sky
    {0x88A45C, 0x4F6E3A, 0xC9D488},  // leaves
    {0xA7B97A, 0x6F8A4C, 0xE3E6AE},  // spring
    {0x5F7F66, 0x33513F, 0x9DB894},  // conifers
    {0xCFA566, 0x8E6A3C, 0xEBCB8A},  // autumn
    {0xE8C9B2, 0xB99AA0, 0xF7E4CC},  // dusk
    {0xD9DEE2, 0xB6BEC6, 0xF2F4F6},  // winter
    {0xC9BE8E, 0x9A9160, 0xE8E0B4},  // reeds
};

constexpr std::uint32_t kWaters[] = {0x6E93AE, 0x5C8296, 0x7FA6A6, 0x8297A8, 0x6F8A78, 0x9AA9B4};
constexpr std::uint32_t kGrounds[] = {0x7E9650, 0x98A060, 0xA89C64, 0x6C8A4C};
constexpr std::uint32_t kWoods[] = {0x6E5440, 0x84705C, 0x5A4A3E, 0x8C7A66, 0x76604A};
constexpr std::uint32_t kLeaves[] = {0x6C9440, 0x55803C, 0x8EA64A, 0xB98A3C, 0x4F7448};
constexpr std::uint32_t kLights[] = {0xFFFFFF, 0xFFF6E6, 0xFFEACC, 0xFFDCB4, 0xE4EDFF, 0xD6E4FF};

template <std::size_t N>
Rgb draw_colour(Draws& draws, const std::uint32_t (&choices)[N]) {
  const Rgb colour = from_hex(choices[draws.below(N)]);
  return colour * draw_between(draws, 0.9f, 1.1f);
}

// Canvas coordinates with y up, so that shapes can be painted in pixels.
constexpr View kPixels{};
Vec upwards(Vec pixel) { return {pixel.x, -pixel.y}; }

void paint_leaf(Canvas& canvas, Vec root, float degrees, float size, Rgb colour, float softness) {
  const Vec axis = direction(degrees);
  const Vec side = left_of(axis);
  const Vec outline[] = {root,
                         root + axis * (0.3f * size) + side * (0.22f * size),
                         root + axis * (0.65f * size) + side * (0.2f * size),
                         root + axis * size,
                         root + axis * (0.65f * size) - side * (0.2f * size),
                         root + axis * (0.3f * size) - side * (0.22f * size)};
  Box box = bounds(outline);
  box = {box.left - 2, box.bottom - 2, box.right + 2, box.top + 2};
  canvas.paint(
      kPixels, box, [&](Vec p) { return distance(p, outline) / softness; },
      [&](Vec p, float) {
        const float across = cross(axis, p - root);
        const float vein = smoothstep(0.9f, 0.3f, std::abs(across));
        return colour * (1 + (across > 0 ? 0.1f : -0.08f) + 0.12f * vein);
      });
}

void paint_branch(Canvas& canvas, const Scene& scene, Vec foot) {
  const Vec axis = direction(scene.branch_degrees);
  const Vec middle = upwards(foot) - Vec{0, scene.branch_radius * 0.8f};
  const float reach = 1.5f * canvas.side();
  const Cone branch{middle - axis * reach, scene.branch_radius * 1.5f, middle + axis * reach,
                    scene.branch_radius * 0.55f};
  for (int i = 0; i < scene.leaves; ++i) {
    const float where = (lattice_noise(i, 1, scene.seed) - 0.5f) * canvas.side();
    const float turn = (lattice_noise(i, 2, scene.seed) - 0.5f) * 90;
    const float up = lattice_noise(i, 3, scene.seed) < 0.5f ? 90.0f : -90.0f;
    const float size = 9 + 8 * lattice_noise(i, 4, scene.seed);
    paint_leaf(canvas, middle + axis * where, scene.branch_degrees + up + turn, size,
               scene.leaf * (0.85f + 0.3f * lattice_noise(i, 5, scene.seed)), 1);
  }
  canvas.paint(
      kPixels, Box{0, -static_cast<float>(canvas.side()), static_cast<float>(canvas.side()), 0},
      [&](Vec p) { return distance(p, branch) + 0.8f * smooth_noise(p * 0.2f, scene.seed + 7); },
      [&](Vec p, float) {
        const Vec local = along(p - middle, axis);
        const float round = 1 + 0.28f * clamp01(local.y / scene.branch_radius + 0.5f) - 0.14f;
        const float bark = 0.82f + 0.36f * smooth_noise({local.x * 0.22f, local.y * 0.9f}, scene.seed + 8);
        return scene.wood * (round * bark);
      });
}

void paint_trunk(Canvas& canvas, const Scene& scene, Vec foot) {
  const Vec axis = direction(90 + scene.branch_degrees * 0.5f);
  const float radius = 6 * scene.branch_radius;
  const bool right = foot.x > 0.5f * canvas.side();
  // The bird's side of the trunk passes through its feet.
  const Vec middle = upwards(foot) + Vec{right ? radius : -radius, 0};
  canvas.paint(
      kPixels, Box{0, -static_cast<float>(canvas.side()), static_cast<float>(canvas.side()), 0},
      [&](Vec p) {
        return std::abs(cross(axis, p - middle)) - radius + 1.6f * smooth_noise(p * 0.16f, scene.seed + 7);
      },
      [&](Vec p, float) {
        const Vec local = along(p - middle, axis);
        const float across = local.y / radius;
        const float round = 1.12f - 0.45f * across * across;
        const float ridges = smooth_noise({local.x * 0.07f, local.y * 0.42f}, scene.seed + 8);
        const float cracks =
            smoothstep(0.35f, 0.2f, smooth_noise({local.x * 0.1f, local.y * 0.3f}, scene.seed + 9));
        return scene.wood * (round * (0.72f + 0.5f * ridges) * (1 - 0.35f * cracks));
      });
}

float water_line(Stance stance, Vec foot, int side) {
  return stance == Stance::kSwimming ? foot.y : std::min(foot.y - 0.02f * side, 0.97f * side);
}

}  // namespace

float draw_between(Draws& draws, float low, float high) {
  return low + (high - low) * static_cast<float>(draws.uniform());
}

Scene draw_scene(Draws& draws, Stance stance) {
  Scene scene;
  const auto& mood = kMoods[draws.below(std::size(kMoods))];
  const float light = draw_between(draws, 0.85f, 1.1f);
  scene.above = from_hex(mood.above) * light;
  scene.below = from_hex(mood.below) * light;
  scene.accent = from_hex(mood.accent) * light;
  scene.horizon = draw_between(draws, 0.2f, 0.5f);
  scene.in_water = draws.uniform() < 0.5;
  scene.ground = stance == Stance::kSwimming || scene.in_water ? draw_colour(draws, kWaters)
                                                               : draw_colour(draws, kGrounds);
  scene.wood = draw_colour(draws, kWoods);
  scene.branch_degrees = draw_between(draws, -16, 16);
  scene.branch_radius = draw_between(draws, 2.2f, 4.2f);
  scene.leaves = static_cast<int>(draws.below(7));
  scene.leaf_in_front = draws.uniform() < 0.25;
  scene.leaf = draw_colour(draws, kLeaves);
  scene.tint = from_hex(kLights[draws.below(std::size(kLights))]);
  scene.exposure = draw_between(draws, 0.78f, 1.14f);
  scene.seed = static_cast<std::uint32_t>(draws.next_bits());
  return scene;
}

void paint_background(Canvas& canvas, const Scene& scene, Stance stance) {
  const float side = static_cast<float>(canvas.side());
  const bool has_ground = stance == Stance::kSwimming || stance == Stance::kWading;
  canvas.fill([&](Vec pixel) {
    const float down = pixel.y / side;
    const float clouds = cloud_noise(pixel * (3.2f / side), scene.seed);
    Rgb colour = mix(scene.above, scene.below, clamp01(down + 0.5f * (clouds - 0.5f)));
    colour = mix(colour, scene.accent,
                 0.75f * smoothstep(0.46f, 0.82f, cloud_noise(pixel * (5 / side), scene.seed + 3)));
    if (!has_ground) return colour;
    const float shore = scene.horizon + 0.02f * (smooth_noise({pixel.x * 0.08f, 0}, scene.seed + 4) - 0.5f);
    const float ground = smoothstep(shore - 0.02f, shore + 0.02f, down);
    const float depth = clamp01((down - shore) / (1 - shore));
    const bool water = stance == Stance::kSwimming || scene.in_water;
    // Ripples lie closer together the farther they are.
    const float ripple = water ? smooth_noise({pixel.x * 0.07f, 9 * std::log(0.08f + depth)}, scene.seed + 5)
                               : smooth_noise({pixel.x * 0.5f, pixel.y * 0.14f}, scene.seed + 5);
    const Rgb far = water ? mix(scene.ground, scene.below, 0.45f) : mix(scene.ground, scene.below, 0.3f);
    return mix(colour, mix(far, scene.ground, depth) * (0.86f + 0.28f * ripple), ground);
  });
  if (has_ground) return;
  // Bright spots out of focus.
  const int spots = 3 + static_cast<int>(7 * lattice_noise(0, 0, scene.seed + 6));
  for (int i = 1; i <= spots; ++i) {
    const Vec centre{side * lattice_noise(i, 1, scene.seed + 6), -side * lattice_noise(i, 2, scene.seed + 6)};
    const float radius = side * (0.04f + 0.09f * lattice_noise(i, 3, scene.seed + 6));
    const Rgb colour = mix(scene.accent, scene.below, lattice_noise(i, 4, scene.seed + 6));
    canvas.paint(
        kPixels, Box{centre.x - radius, centre.y - radius, centre.x + radius, centre.y + radius},
        [&](Vec p) { return (length(p - centre) - radius) * 0.25f; }, [&](Vec, float) { return colour; },
        0.4f);
  }
}

void paint_support(Canvas& canvas, const Scene& scene, Stance stance, Vec foot) {
  if (stance == Stance::kPerching || stance == Stance::kFacing) paint_branch(canvas, scene, foot);
  if (stance == Stance::kClinging) paint_trunk(canvas, scene, foot);
}

void paint_foreground(Canvas& canvas, const Canvas& without_bird, const Scene& scene, Stance stance,
                      Vec foot) {
  const int side = canvas.side();
  const bool water = stance == Stance::kSwimming || (stance == Stance::kWading && scene.in_water);
  if (water) {
    const Canvas with_bird = canvas;
    const float line = water_line(stance, foot, side);
    for (int y = std::max(0, static_cast<int>(line)); y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        const float below = y + 0.5f - line;
        const float ripple = smooth_noise({x * 0.08f, y * 0.45f}, scene.seed + 10) - 0.5f;
        const float cover = clamp01(below + 0.8f + 2.5f * ripple);
        const int from_y = std::clamp(static_cast<int>(line - below * 0.9f + 3 * ripple), 0, side - 1);
        const int from_x = std::clamp(static_cast<int>(x + 5 * ripple), 0, side - 1);
        const Rgb mirrored = with_bird.at(from_x, from_y);
        const Rgb surface = without_bird.at(x, y) * (1 + 0.22f * ripple);
        const float strength = 0.38f * smoothstep(0.45f * side, 0.0f, below);
        canvas.at(x, y) = mix(canvas.at(x, y), mix(surface, mirrored * 0.9f, strength), cover);
      }
    }
  }
  if (stance == Stance::kWading && !scene.in_water) {
    for (int i = 0; i < 60; ++i) {
      const float x = side * lattice_noise(i, 1, scene.seed + 11);
      const float height = side * (0.04f + 0.08f * lattice_noise(i, 2, scene.seed + 11));
      const float bottom = -foot.y - side * 0.05f * lattice_noise(i, 3, scene.seed + 11);
      const float lean = 5 * (lattice_noise(i, 4, scene.seed + 11) - 0.5f);
      const Cone blade{{x, bottom - 2}, 0.9f, {x + lean, bottom + height}, 0.2f};
      const Rgb colour = scene.ground * (0.75f + 0.5f * lattice_noise(i, 5, scene.seed + 11));
      canvas.paint(
          kPixels, bounds(blade), [&](Vec p) { return distance(p, blade); },
          [&](Vec, float) { return colour; });
    }
  }
  if (scene.leaf_in_front && !water) {  // close to the lens, so out of focus
    const bool right = lattice_noise(1, 1, scene.seed + 12) < 0.5f;
    const float height = side * (0.1f + 0.8f * lattice_noise(2, 1, scene.seed + 12));
    const float size = side * (0.22f + 0.16f * lattice_noise(3, 1, scene.seed + 12));
    const float turn = 50 * (lattice_noise(4, 1, scene.seed + 12) - 0.5f);
    paint_leaf(canvas, {right ? side + 3.0f : -3.0f, -height}, (right ? 180 : 0) + turn, size,
               scene.leaf * 0.9f, 3);
  }
}

void expose(Canvas& canvas, const Scene& scene) {
  const int side = canvas.side();
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const Vec from_middle{(x + 0.5f) / side - 0.5f, (y + 0.5f) / side - 0.5f};
      const float vignette = 1 - 0.3f * dot(from_middle, from_middle);
      const float grain = 1 + 0.05f * (lattice_noise(x, y, scene.seed + 20) - 0.5f);
      auto& pixel = canvas.at(x, y);
      pixel = pixel * scene.tint * (scene.exposure * vignette * grain);
    }
  }
}

}  // namespace procsim::fieldguide
