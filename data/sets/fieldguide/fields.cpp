#include <numbers>

#include "data/sets/fieldguide/bird.hpp"

namespace procsim::fieldguide {
namespace {

using enum Field;

Part part_of(Field field) {
  if (field >= kEye) return Part::kEye;
  if (field >= kLegs) return Part::kLegs;
  if (field >= kBeak) return Part::kBeak;
  if (field >= kTail) return Part::kTail;
  if (field >= kWing) return Part::kWing;
  return Part::kBody;
}

float blob(Vec p, Vec centre, Vec radii, float soft = 0.18f) {
  const Vec q{(p.x - centre.x) / radii.x, (p.y - centre.y) / radii.y};
  return smoothstep(1 + soft, 1 - soft, length(q));
}

float stroke(Vec p, Vec from, Vec to, float width) {
  return smoothstep(0.06f, -0.06f, distance(p, Cone{from, width, to, width * 0.8f}));
}

// --- Patterns, over the bird's own coordinates (x along the body, y across)

float streaks(Vec p, std::uint32_t seed) {
  return smoothstep(0.52f, 0.66f, smooth_noise({p.x * 6.5f, p.y * 21}, seed));
}

float bars(Vec p, float count, std::uint32_t seed) {
  const float wobble = 1.6f * smooth_noise({p.x * 5, p.y * 5}, seed);
  return smoothstep(-0.1f, 0.5f, std::sin(p.x * count * 2 * std::numbers::pi_v<float> + wobble));
}

// A dot in each cell, not quite in its middle.
float spots(Vec p, float cells, std::uint32_t seed) {
  const Vec q = p * cells;
  const auto x = static_cast<std::int32_t>(std::floor(q.x));
  const auto y = static_cast<std::int32_t>(std::floor(q.y));
  const Vec centre{x + 0.3f + 0.4f * lattice_noise(x, y, seed),
                   y + 0.3f + 0.4f * lattice_noise(x, y, seed + 1)};
  return smoothstep(0.36f, 0.22f, length(q - centre));
}

// --- An owl's face

// Distance to the edge of the disc, in head radii: two circles that meet in a heart.
float disc_distance(Vec p) {
  const Vec folded{std::abs(p.x), p.y};
  return smooth_union(length(folded - Vec{0.36f, 0.06f}) - 0.5f, length(folded - Vec{0.16f, -0.22f}) - 0.42f,
                      0.2f);
}

float cover_facing_head(Field field, const Place& place) {
  const Vec p = place.on_head;
  const float side = std::abs(p.x);
  switch (field) {
    case kFace:
      return place.head * smoothstep(0.04f, -0.04f, disc_distance(p));
    case kDiscRim:
      return place.head * within(-0.06f, 0.05f, 0.04f, disc_distance(p));
    case kDiscRings: {
      const float ring = std::sin(length(Vec{side - 0.4f, p.y - 0.06f}) * 34);
      return place.head * smoothstep(0.0f, -0.06f, disc_distance(p)) * smoothstep(0.1f, 0.6f, ring);
    }
    case kMask:
      return place.head * smoothstep(0.15f, 0.07f, std::abs(side - 0.22f * std::abs(p.y + 0.05f) * 1.8f)) *
             within(-0.48f, 0.5f, 0.06f, p.y);
    case kBrow:
      return place.head * stroke({side, p.y}, {0.12f, 0.3f}, {0.72f, 0.44f}, 0.06f);
    case kCrown:
    case kCap:
      return place.head * smoothstep(0.4f, 0.55f, p.y);
    case kCrownSpots:
      return place.head * smoothstep(0.02f, 0.1f, disc_distance(p)) * spots(p, 5.5f, place.seed + 11);
    case kThroat:
      return blob(p, {0, -0.95f}, {0.5f, 0.3f});
    default:
      return 0;
  }
}

float cover_head(Field field, const Place& place) {
  const Vec p = place.on_head;
  const float head = place.head;
  switch (field) {
    case kHead:
      return head;
    case kHood:
      return std::max(head, place.neck * smoothstep(0.28f, 0.36f, place.neck_up));
    case kNeck:
      return place.neck * (1 - head);
    case kCollar:
      return place.neck * within(0.1f, 0.26f, 0.04f, place.neck_up) * (1 - head);
    default:
      break;
  }
  if (place.facing) return cover_facing_head(field, place);
  if (length(place.on_head) > 2.2f) return 0;
  switch (field) {
    case kCrown:
      return head * smoothstep(0.34f, 0.5f, p.y - 0.08f * p.x);
    case kCap:
      return head * smoothstep(0.16f, 0.3f, p.y + 0.1f * p.x);
    case kForehead:
      return head * blob(p, {0.85f, 0.4f}, {0.42f, 0.42f});
    case kFace:
      return head * blob(p, {0.5f, -0.02f}, {0.62f, 0.52f});
    case kMask:
      return head * blob(p, {0.62f, 0.08f}, {0.46f, 0.26f});
    case kCheek:
      return head * blob(p, {-0.05f, -0.28f}, {0.46f, 0.32f});
    case kBrow:
      return head * stroke(p, {0.7f, 0.34f}, {-0.5f, 0.4f}, 0.085f);
    case kEyeStripe:
      return head * stroke(p, {0.95f, 0.06f}, {-0.85f, 0.02f}, 0.14f);
    case kMoustache:
      return stroke(p, {0.78f, -0.28f}, {0.1f, -0.72f}, 0.13f) * head;
    case kNape:
      return std::max(head, place.neck) * smoothstep(-0.42f, -0.6f, p.x - 0.15f * p.y) *
             smoothstep(-1.2f, -0.7f, p.y);
    case kHindHead:
      return head * blob(p, {-0.5f, 0.22f}, {0.58f, 0.5f});
    case kThroat:
      return blob(p, {0.36f, -0.8f}, {0.62f, 0.52f});
    case kBib:
      return blob(p, {0.62f, -0.55f}, {0.34f, 0.36f});
    case kNeckStripe:
      return stroke(p, {-0.12f, -0.42f}, {-0.62f, -1.7f}, 0.17f);
    case kNapeBars:
      return head * smoothstep(-0.05f, -0.25f, p.x) * bars({p.y, p.x}, 3.0f, place.seed + 3);
    case kCrownSpots:
      return head * smoothstep(0.2f, 0.4f, p.y) * spots(p, 5, place.seed + 11);
    default:
      return 0;
  }
}

// --- Torso

struct Torso {
  float breast, belly, flank, back;
};

Torso torso_areas(const Place& place) {
  const float x = place.on_torso.x;
  const float y = place.on_torso.y;
  if (place.facing) return {smoothstep(-0.2f, 0.2f, x), smoothstep(0.2f, -0.2f, x), 0, 0};
  return {smoothstep(0.15f, 0.5f, x) * smoothstep(0.55f, 0.25f, y),
          smoothstep(-0.05f, -0.3f, y) * smoothstep(1.0f, 0.5f, x),
          within(-0.75f, 0.1f, 0.15f, y) * smoothstep(0.9f, 0.5f, x), smoothstep(0.12f, 0.38f, y)};
}

// The pattern is measured only where it can be seen.
template <typename Pattern>
float patterned(float area, const Pattern& pattern) {
  return area > 0 ? area * pattern() : 0;
}

float cover_torso(Field field, const Place& place) {
  const float x = place.on_torso.x;
  const float y = place.on_torso.y;
  const auto area = torso_areas(place);
  const Vec texture = place.point;
  switch (field) {
    case kBreast:
      return area.breast;
    case kBreastBand:
      return within(1.3f, 1.62f, 0.08f, length(place.on_head)) * smoothstep(0.45f, 0.2f, y) *
             smoothstep(0.0f, 0.3f, x);
    case kBelly:
      return area.belly;
    case kBellyBand:
      return within(-0.45f, 0.2f, 0.12f, x) * smoothstep(0.4f, 0.2f, y);
    case kFlank:
      return within(-0.6f, 0.5f, 0.15f, x) * within(-0.75f, 0.0f, 0.15f, y);
    case kVent:
      return smoothstep(-0.55f, -0.85f, x) * smoothstep(0.2f, 0.0f, y);
    case kBack:
      return area.back;
    case kMantle:
      return within(-0.3f, 0.85f, 0.12f, x) * smoothstep(0.35f, 0.55f, y);
    case kRump:
      return smoothstep(-0.5f, -0.75f, x) * smoothstep(-0.05f, 0.15f, y);
    case kBreastStreaks:
      return patterned(area.breast, [&] { return streaks(texture, place.seed); });
    case kBreastSpots:
      return patterned(std::max(area.breast, area.belly),
                       [&] { return spots(texture, 8.5f, place.seed + 5); });
    case kBreastBars:
      return patterned(area.breast, [&] { return bars(texture, 6.5f, place.seed + 7); });
    case kBellyStreaks:
      return patterned(std::max(area.belly, place.facing ? 0 : area.flank),
                       [&] { return streaks(texture, place.seed); });
    case kBellyBars:
      return patterned(std::max(area.belly, area.flank), [&] { return bars(texture, 6.5f, place.seed + 7); });
    case kFlankStreaks:
      return patterned(area.flank, [&] { return streaks(texture, place.seed); });
    case kBackStreaks:
      return patterned(area.back, [&] { return streaks(texture, place.seed + 9); });
    case kBackBars:
      return patterned(area.back, [&] { return bars(texture, 5.5f, place.seed + 9); });
    default:
      return 0;
  }
}

// --- Wing, tail, beak

float cover_wing(Field field, const Place& place) {
  const float x = place.on_part.x;
  const float y = place.on_part.y;
  const float slanted = x + 0.07f * y;
  switch (field) {
    case kWing:
      return 1;
    case kShoulder:
      return smoothstep(0.14f, 0.04f, slanted);
    case kFirstBar:
      return within(0.13f, 0.2f, 0.025f, slanted);
    case kSecondBar:
      return within(0.36f, 0.43f, 0.025f, slanted);
    case kWingPatch:
      return within(0.24f, 0.56f, 0.04f, slanted);
    case kWingTip:
      return smoothstep(0.52f, 0.62f, x);
    case kWingEdge:
      return smoothstep(-0.45f, -0.65f, y) * smoothstep(0.0f, 0.15f, x);
    case kSpeculum:
      return within(0.48f, 0.7f, 0.03f, x) * smoothstep(0.4f, 0.2f, y);
    case kWingSpots:
      return spots(place.point, 9, place.seed + 13) * smoothstep(-0.05f, 0.1f, x);
    case kWingBars:
      return bars({place.on_part.x, place.on_part.y * 0.3f}, 7, place.seed + 13);
    case kWingStreaks:
      return smoothstep(0.5f, 0.62f, smooth_noise({x * 3, y * 4}, place.seed + 13));
    default:
      return 0;
  }
}

float cover_tail(Field field, const Place& place) {
  const float x = place.on_part.x;
  switch (field) {
    case kTail:
      return 1;
    case kTailBars:
      return smoothstep(-0.1f, 0.4f, std::sin(x * 4.3f * 2 * std::numbers::pi_v<float>));
    case kTailBand:
      return within(0.78f, 0.92f, 0.03f, x);
    case kTailEdge:
      return smoothstep(0.45f, 0.6f, std::abs(place.on_part.y));
    case kTailTip:
      return smoothstep(0.5f, 0.65f, x);
    default:
      return 0;
  }
}

float cover_beak(Field field, const Place& place) {
  const float x = place.on_part.x;
  switch (field) {
    case kBeak:
      return 1;
    case kBeakBase:
      return smoothstep(0.34f, 0.24f, x);
    case kBeakMiddle:
      return within(0.38f, 0.72f, 0.04f, x);
    case kBeakTip:
      return smoothstep(0.74f, 0.84f, x);
    case kLowerBeak:
      return smoothstep(0.05f, -0.15f, place.on_part.y);
    default:
      return 0;
  }
}

}  // namespace

float cover(Field field, const Place& place) {
  if (part_of(field) != place.part) return 0;
  switch (place.part) {
    case Part::kWing:
      return cover_wing(field, place);
    case Part::kTail:
      return cover_tail(field, place);
    case Part::kBeak:
      return cover_beak(field, place);
    case Part::kLegs:
    case Part::kEye:
      return 1;
    case Part::kBody:
      break;
  }
  if (field < kBreast || field == kNapeBars || field == kCrownSpots) return cover_head(field, place);
  const float off_head = (1 - place.head) * (1 - place.neck);
  return off_head > 0 ? off_head * cover_torso(field, place) : 0;
}

Rgb plumage_colour(const Plumage& plumage, const Place& place) {
  Rgb colour = from_hex(plumage.base);
  for (const auto& patch : plumage.patches) {
    const float k = cover(patch.field, place) * patch.strength;
    if (k > 0) colour = mix(colour, from_hex(patch.hex), k);
  }
  return colour;
}

}  // namespace procsim::fieldguide
