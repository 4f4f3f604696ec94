#pragma once

// How a bird is described: its anatomy belongs to the family, its plumage to the species.

#include <string_view>
#include <vector>

#include "data/sets/fieldguide/canvas.hpp"

namespace procsim::fieldguide {

enum class Stance {
  kPerching,  // from the side, on a branch
  kFacing,    // from the front, on a branch (owls)
  kSwimming,  // from the side, in water
  kWading,    // from the side, on long legs
  kClinging,  // from the side, upright on a trunk
};

enum class BeakShape { kCone, kNeedle, kHook, kParrot, kFlat, kDagger, kChisel };

// A bird's own coordinates: it looks to the right, y points up, and it is about two units tall or long.
struct Anatomy {
  std::string_view family;
  Stance stance = Stance::kPerching;
  Cone torso;               // from the chest (a) to the rump (b)
  std::vector<Vec> neck{};  // bends between chest and head; empty: the head sits on the chest
  float neck_radius = 0;
  Vec head;
  float head_radius = 0;
  Vec eye;  // in head radii from the head's centre
  float eye_radius = 0;
  BeakShape beak = BeakShape::kCone;
  float beak_length = 0;
  float beak_depth = 0;
  Cone wing;  // from the shoulder (a) to the tip (b)
  Vec tail;   // its root
  float tail_degrees = 0;
  float tail_length = 0;
  float tail_width = 0;
  float tail_flare = 1;  // width at the end / width at the root
  float tail_notch = 0;  // how deep the end is cut (above 0) or how far it is rounded out (below 0)
  Vec hip;
  Vec foot;
  float leg_width = 0.03f;
  float fill = 1;                       // scales the bird to the frame
  std::uint32_t drab_above = 0x8A7A64;  // what young birds and many females wear instead of bright colours
  std::uint32_t drab_below = 0xCFC2A8;
};

// Fields of the plumage. Each belongs to one part of the bird; a field outside of it has no effect.
enum class Field {
  // Head, neck and torso
  kHead,   // the head alone
  kHood,   // head and upper neck
  kNeck,   // the neck alone
  kCrown,  // top of the head
  kCap,    // down to the eye
  kForehead,
  kFace,        // round the eye and the beak; an owl's disc
  kMask,        // between beak and eye
  kCheek,       // below and behind the eye
  kBrow,        // a stripe over the eye
  kEyeStripe,   // a stripe through the eye
  kMoustache,   // a stripe from the beak downwards
  kNape,        // back of the head
  kHindHead,    // a large patch behind the eye
  kThroat,      // below the beak
  kBib,         // a small throat patch
  kCollar,      // a ring round the neck
  kNeckStripe,  // from the cheek down the side of the neck
  kDiscRim,     // an owl: the edge of the disc
  kDiscRings,   // an owl: rings in the disc
  kBreast,
  kBreastBand,
  kBelly,
  kBellyBand,
  kFlank,
  kVent,
  kBack,
  kMantle,  // the upper back
  kRump,
  kBreastStreaks,
  kBreastSpots,
  kBreastBars,
  kBellyStreaks,
  kBellyBars,
  kFlankStreaks,
  kBackStreaks,
  kBackBars,
  kNapeBars,
  kCrownSpots,
  // Wing
  kWing,
  kShoulder,
  kWingPatch,  // the middle of the wing
  kWingTip,
  kWingEdge,  // along the lower edge
  kFirstBar,
  kSecondBar,
  kSpeculum,
  kWingSpots,
  kWingBars,
  kWingStreaks,
  // Tail
  kTail,
  kTailBars,
  kTailBand,
  kTailEdge,
  kTailTip,
  // Beak, legs, eye
  kBeak,
  kBeakBase,
  kBeakMiddle,
  kBeakTip,
  kLowerBeak,
  kLegs,
  kEye,
  kEyeRing,
};

enum class Part { kBody, kWing, kTail, kBeak, kLegs, kEye };

struct Patch {
  Field field;
  std::uint32_t hex;
  float strength = 1;
};

struct Plumage {
  std::string_view species;
  std::uint32_t base;            // where no patch lies
  std::vector<Patch> patches{};  // later ones over earlier ones
  float crest = 0;               // its length in head radii: behind the crown, or an owl's two tufts
  std::uint32_t crest_hex = 0;
};

// Young birds and females: every colour drawn towards the family's drab ones, so that the species of a family
// grow alike. 0 is the plumage as it is, 1 the drab alone.
Plumage drab(Plumage plumage, const Anatomy& anatomy, float amount);

// Throw std::out_of_range for unknown names.
const Anatomy& anatomy_of(std::string_view family);
const Plumage& plumage_of(std::string_view species);

// Where a point lies on the bird, for the fields to measure.
struct Place {
  Part part = Part::kBody;
  bool facing = false;
  Vec on_head;        // in head radii from its centre: x towards the beak (facing: to the right), y up
  float head = 0;     // 1 on the head, 0 off it
  float neck = 0;     // 1 on a long neck
  float neck_up = 0;  // 0 at the chest, 1 at the head
  Vec on_torso;       // x: −1 rump … 1 chest; y: −1 belly … 1 back
  Vec on_part;        // wing, tail, beak: x 0 … 1 from the root to the tip, y −1 … 1 across
  Vec point;          // in the bird's coordinates
  std::uint32_t seed = 0;
};

// How much of a point the field covers, 0 to 1.
float cover(Field field, const Place& place);
// The plumage at a place: the base and all its patches.
Rgb plumage_colour(const Plumage& plumage, const Place& place);
// The colour of one field as the species has it, or `fallback`.
Rgb field_colour(const Plumage& plumage, Field field, std::uint32_t fallback);

// What differs between two pictures of the same bird.
struct Pose {
  View view;
  float head_degrees = 0;  // nods
  Vec head_shift;
  float gaze = 0;  // facing birds: how far the face is turned, −1 … 1
  bool looks_back = false;
  float tail_degrees = 0;
  float wing_droop = 0;  // how far the tip hangs, −1 … 1
  float leg_swing = 0;
  float plumpness = 1;
  Vec light;               // on the canvas, towards the light, y up, length below 1
  float contrast = 1;      // of light and shade
  std::uint32_t seed = 0;  // of the textures
};

void paint_bird(Canvas& canvas, const Anatomy& anatomy, const Plumage& plumage, const Pose& pose);

}  // namespace procsim::fieldguide
