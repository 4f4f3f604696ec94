#include "data/sets/fieldguide.hpp"
#include "data/sets/fieldguide/bird.hpp"
#include "data/sets/fieldguide/scene.hpp"

namespace procsim {
namespace fieldguide {
namespace {

Pose draw_pose(Draws& draws, const Anatomy& anatomy, int side) {
  const bool upright = anatomy.stance == Stance::kFacing;
  const bool afloat = anatomy.stance == Stance::kSwimming;
  Pose pose;
  pose.view.scale = 0.4f * side * anatomy.fill * draw_between(draws, 0.82f, 1.12f);
  const float shift_x = draw_between(draws, -0.07f, 0.07f);
  const float shift_y = draw_between(draws, -0.05f, 0.05f);
  pose.view.centre = {side * (0.5f + shift_x), side * (0.5f + shift_y)};
  const float tilt = draw_between(draws, -1, 1);
  pose.view.axis = direction(tilt * (afloat ? 4 : upright ? 6 : 11));
  pose.view.mirrored = draws.uniform() < 0.5;
  pose.head_degrees = draw_between(draws, -1, 1) * (upright ? 10 : 16);
  const float head_x = draw_between(draws, -0.035f, 0.035f);
  const float head_y = draw_between(draws, -0.03f, 0.03f);
  pose.head_shift = {head_x, head_y};
  pose.gaze = draw_between(draws, -1, 1);
  pose.looks_back = !upright && draws.uniform() < 0.1;
  pose.tail_degrees = draw_between(draws, -9, 9);
  pose.wing_droop = draw_between(draws, -1, 1);
  pose.leg_swing = draw_between(draws, -1, 1);
  pose.plumpness = draw_between(draws, 0.93f, 1.07f);
  const float from = draw_between(draws, 35, 145);
  pose.light = direction(from);
  pose.contrast = draw_between(draws, 0.55f, 1.25f);
  pose.seed = static_cast<std::uint32_t>(draws.next_bits());
  return pose;
}

// No two birds have quite the same colours, and half of them are females or young.
Plumage draw_individual(Draws& draws, const Anatomy& anatomy, const Plumage& of_species) {
  const bool full_dress = draws.uniform() < 0.5;
  const float dullness = full_dress ? draw_between(draws, 0, 0.25f) : draw_between(draws, 0.35f, 0.78f);
  Plumage plumage = drab(of_species, anatomy, dullness);
  const auto vary = [&](std::uint32_t hex) {
    std::uint32_t varied = 0;
    const float bright = draw_between(draws, 0.9f, 1.1f);
    for (const int shift : {16, 8, 0}) {
      const float value = static_cast<float>((hex >> shift) & 255) * bright + draw_between(draws, -10, 10);
      varied |= static_cast<std::uint32_t>(std::clamp(value, 0.0f, 255.0f)) << shift;
    }
    return varied;
  };
  plumage.base = vary(plumage.base);
  for (auto& patch : plumage.patches) patch.hex = vary(patch.hex);
  plumage.crest_hex = vary(plumage.crest_hex);
  plumage.crest *= draw_between(draws, 0.85f, 1.1f);
  return plumage;
}

}  // namespace
}  // namespace fieldguide

Image draw_fieldguide_bird(int class_index, int image_index) {
  using namespace fieldguide;
  const auto& bird = fieldguide_classes().at(class_index);
  const auto& anatomy = anatomy_of(bird.family);
  // Keyed by the species' name, not by its place in the list.
  auto draws = KeyedRandom(1, "fieldguide/" + bird.name).for_id(image_index);
  const auto pose = draw_pose(draws, anatomy, kFieldguideImageSide);
  const auto scene = draw_scene(draws, anatomy.stance);
  const auto plumage = draw_individual(draws, anatomy, plumage_of(bird.name));

  Canvas canvas(kFieldguideImageSide);
  const Vec foot = pose.view.to_canvas(anatomy.foot);
  paint_background(canvas, scene, anatomy.stance);
  paint_support(canvas, scene, anatomy.stance, foot);
  const Canvas without_bird = canvas;
  paint_bird(canvas, anatomy, plumage, pose);
  paint_foreground(canvas, without_bird, scene, anatomy.stance, foot);
  expose(canvas, scene);
  return canvas.image();
}

}  // namespace procsim
