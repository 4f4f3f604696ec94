#pragma once

// What is round the bird: sky or leaves out of focus, a branch, a trunk, water, light.

#include "data/base/keyed_random.hpp"
#include "data/sets/fieldguide/bird.hpp"

namespace procsim::fieldguide {

// Chosen by chance alone: a background says nothing about the species.
struct Scene {
  Rgb above, below, accent;  // of the background: top, bottom, and patches in it
  float horizon = 0.5f;      // swimming and wading: where water or grass begins, as a part of the height
  bool in_water = true;      // wading: else in grass
  Rgb ground;                // water or grass
  Rgb wood;
  float branch_degrees = 0;
  float branch_radius = 3;  // pixels
  int leaves = 0;
  bool leaf_in_front = false;
  Rgb leaf;
  Rgb tint{1, 1, 1};  // of the light
  float exposure = 1;
  std::uint32_t seed = 0;
};

float draw_between(Draws& draws, float low, float high);

Scene draw_scene(Draws& draws, Stance stance);

void paint_background(Canvas& canvas, const Scene& scene, Stance stance);
// What carries the bird; `foot` is where it stands, on the canvas. Before the bird.
void paint_support(Canvas& canvas, const Scene& scene, Stance stance, Vec foot);
// What lies before the bird: the water's surface, with the bird's reflection, grass, a leaf. After the bird.
void paint_foreground(Canvas& canvas, const Canvas& without_bird, const Scene& scene, Stance stance,
                      Vec foot);
// Light, falling off towards the corners, and grain.
void expose(Canvas& canvas, const Scene& scene);

}  // namespace procsim::fieldguide
