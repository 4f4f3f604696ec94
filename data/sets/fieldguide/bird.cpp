#include "data/sets/fieldguide/bird.hpp"

namespace procsim::fieldguide {
namespace {

// A bird in one pose, ready to be painted part by part.
class Sitter {
 public:
  Sitter(Canvas& canvas, const Anatomy& anatomy, const Plumage& plumage, const Pose& pose)
      : canvas_(canvas),
        anatomy_(anatomy),
        plumage_(plumage),
        pose_(pose),
        torso_(anatomy.torso),
        wing_(anatomy.wing) {
    torso_.radius_a *= pose.plumpness;
    torso_.radius_b *= pose.plumpness;
    wing_.radius_a *= pose.plumpness;
    wing_.b = wing_.b + left_of(normalized(wing_.b - wing_.a)) * (0.09f * pose.wing_droop);
    head_ = anatomy.head + pose.head_shift;
    // Light falls on the canvas; shading happens in the bird's own coordinates.
    light_ = pose.view.mirrored ? Vec{-pose.light.x, pose.light.y} : pose.light;
    light_ = along(light_, pose.view.axis);
    Vec from = torso_.a;
    for (const auto bend : anatomy.neck) {
      const float thick = neck_.empty() ? 1.5f : 1.0f;
      neck_.push_back({from, anatomy.neck_radius * thick, bend, anatomy.neck_radius});
      from = bend;
    }
    if (!neck_.empty()) neck_.push_back({from, anatomy.neck_radius, head_, anatomy.neck_radius * 0.95f});
  }

  void paint() {
    paint_tail();
    if (facing()) {
      paint_tufts();
      paint_body();
      paint_wing();
      paint_toes();
    } else {
      if (anatomy_.stance != Stance::kSwimming) paint_legs();
      if (plumage_.crest > 0) paint_crest();
      paint_body();
      paint_wing();
    }
    paint_beak();
    paint_eyes();
  }

 private:
  bool facing() const { return anatomy_.stance == Stance::kFacing; }

  Vec on_head(Vec p) const {
    Vec q = along(p - head_, direction(pose_.head_degrees)) * (1 / anatomy_.head_radius);
    if (pose_.looks_back) q.x = -q.x;
    if (facing()) q.x -= 0.22f * pose_.gaze * std::sqrt(std::max(0.0f, 1 - std::min(1.0f, dot(q, q))));
    return q;
  }
  Vec off_head(Vec q) const {
    if (facing()) q.x += 0.22f * pose_.gaze;
    if (pose_.looks_back) q.x = -q.x;
    const Vec axis = direction(pose_.head_degrees);
    return head_ + (axis * q.x + left_of(axis) * q.y) * anatomy_.head_radius;
  }

  float head_distance(Vec p) const {
    Vec q = p - head_;
    if (facing()) q.y *= 1.12f;  // an owl's head is wider than high
    return length(q) - anatomy_.head_radius;
  }

  float neck_distance(Vec p) const {
    float nearest = 1e3f;
    for (const auto& cone : neck_) nearest = std::min(nearest, distance(p, cone));
    return nearest;
  }

  float body_distance(Vec p) const {
    float d = distance(p, torso_);
    const float crease = neck_.empty() ? 0.16f : 0.1f;
    if (!neck_.empty()) d = smooth_union(d, neck_distance(p), 0.14f);
    return smooth_union(d, head_distance(p), crease);
  }

  Place place_on_body(Vec p) const {
    Place place;
    place.part = Part::kBody;
    place.facing = facing();
    place.point = along(p - torso_.b, normalized(torso_.a - torso_.b));
    place.seed = pose_.seed;
    place.on_head = on_head(p);
    place.head = smoothstep(0.05f, -0.02f, head_distance(p) / anatomy_.head_radius * 0.5f);
    const Vec middle = mix(torso_.a, torso_.b, 0.5f);
    const float half = 0.5f * length(torso_.a - torso_.b);
    const Vec local = along(p - middle, normalized(torso_.a - torso_.b));
    place.on_torso.x = local.x / half;
    place.on_torso.y = local.y / mix(torso_.radius_b, torso_.radius_a, smoothstep(-1, 1, place.on_torso.x));
    if (!neck_.empty()) {
      place.neck_up = clamp01(dot(p - torso_.a, head_ - torso_.a) / dot(head_ - torso_.a, head_ - torso_.a));
      const float leads = distance(p, torso_) - neck_distance(p);
      place.neck = smoothstep(-0.03f, 0.03f, leads) * smoothstep(0.22f, 0.34f, place.neck_up + 0.1f);
    }
    return place;
  }

  Place place_on_part(Part part, Vec p, Vec along_and_across) const {
    Place place;
    place.part = part;
    place.point = p;
    place.on_part = along_and_across;
    place.seed = pose_.seed;
    return place;
  }

  // Light and shade of a rounded surface: the nearer to the edge, the more it turns away.
  template <typename Shape>
  Rgb shaded(Rgb colour, Vec p, float depth, float roundness, const Shape& shape) const {
    constexpr float kStep = 0.02f;
    const Vec outwards = normalized({shape({p.x + kStep, p.y}) - shape({p.x - kStep, p.y}),
                                     shape({p.x, p.y + kStep}) - shape({p.x, p.y - kStep})});
    const float turned = 1 - clamp01(depth / roundness);
    const float facing_light = dot(outwards, light_) * turned * turned;
    const float edge = smoothstep(0.045f, 0.0f, depth);
    const float feathers = 0.95f + 0.1f * smooth_noise(p * 26, pose_.seed + 21);
    const float k =
        (1 + 0.42f * pose_.contrast * facing_light - 0.1f * turned * turned) * feathers * (1 - 0.3f * edge);
    return colour * k;
  }

  void paint_body() {
    const auto shape = [&](Vec p) { return body_distance(p); };
    Box box = bounds(torso_);
    box.include(head_, anatomy_.head_radius);
    for (const auto& cone : neck_) box = united(box, bounds(cone));
    const float roundness = 0.9f * torso_.radius_a;
    canvas_.paint(pose_.view, grown(box), shape, [&](Vec p, float depth) {
      return shaded(plumage_colour(plumage_, place_on_body(p)), p, depth, roundness, shape);
    });
  }

  void paint_wing() {
    const auto mirrored = [&](Vec p) { return facing() ? Vec{std::abs(p.x), p.y} : p; };
    const auto shape = [&](Vec p) {
      const float gap = facing() ? 0.0f : 0.03f;
      return std::max(distance(mirrored(p), wing_), -head_distance(p) - gap);
    };
    Box box = bounds(wing_);
    if (facing()) box.left = -box.right;
    const Vec axis = normalized(wing_.b - wing_.a);
    const float reach = length(wing_.b - wing_.a) + wing_.radius_b;
    canvas_.paint(pose_.view, grown(box), shape, [&](Vec p, float depth) {
      const Vec local = along(mirrored(p) - wing_.a, axis);
      const float radius = std::max(0.02f, mix(wing_.radius_a, wing_.radius_b, clamp01(local.x / reach)));
      // Across, the lower edge is −1: to the left of an axis that points backwards.
      const auto place = place_on_part(Part::kWing, p, {local.x / reach, -local.y / radius});
      Rgb colour = plumage_colour(plumage_, place);
      const float shafts = std::sin(local.y * 62 + 3 * place.on_part.x);
      const float flight = smoothstep(0.3f, 0.5f, place.on_part.x);
      colour = colour * (1 - 0.13f * flight * smoothstep(0.2f, 0.9f, shafts));
      return shaded(colour, p, depth, 0.7f * wing_.radius_a, shape);
    });
  }

  void paint_tail() {
    const Vec axis = direction(anatomy_.tail_degrees + pose_.tail_degrees);
    const Vec side = left_of(axis);
    const float root = 0.5f * anatomy_.tail_width;
    const float end = root * anatomy_.tail_flare;
    const Vec tip = anatomy_.tail + axis * anatomy_.tail_length;
    const Vec outline[] = {anatomy_.tail + side * root, tip + side * end, tip - axis * anatomy_.tail_notch,
                           tip - side * end, anatomy_.tail - side * root};
    const auto shape = [&](Vec p) { return distance(p, outline) - 0.02f; };
    canvas_.paint(pose_.view, grown(bounds(outline)), shape, [&](Vec p, float depth) {
      const Vec local = along(p - anatomy_.tail, axis);
      const float half = mix(root, end, clamp01(local.x / anatomy_.tail_length)) + 0.02f;
      const auto place = place_on_part(Part::kTail, p, {local.x / anatomy_.tail_length, local.y / half});
      const float shafts = std::sin(place.on_part.y * 9);
      return shaded(plumage_colour(plumage_, place) * (1 - 0.1f * smoothstep(0.4f, 0.9f, shafts)), p, depth,
                    0.1f, shape);
    });
  }

  void paint_cone(const Cone& cone, Rgb colour) {
    const auto shape = [&](Vec p) { return distance(p, cone); };
    const float roundness = std::max(cone.radius_a, cone.radius_b);
    canvas_.paint(pose_.view, grown(bounds(cone)), shape,
                  [&](Vec p, float depth) { return shaded(colour, p, depth, roundness, shape); });
  }

  void paint_leg(Vec hip, Vec foot, Rgb colour) {
    const float width = anatomy_.leg_width;
    if (anatomy_.stance == Stance::kClinging) {
      paint_cone({hip, width * 2.2f, foot, width * 0.8f}, colour);
      for (const float rise : {-0.09f, 0.0f, 0.09f})
        paint_cone({foot, width * 0.7f, foot + Vec{0.05f, rise}, 0.01f}, colour);
      return;
    }
    const Vec knee = mix(hip, foot, 0.5f) + Vec{-0.05f, 0};
    paint_cone({hip, width * 1.2f, knee, width * 0.8f}, colour);
    paint_cone({knee, width, foot, width * 0.75f}, colour);
    const float toe = anatomy_.stance == Stance::kWading ? 0.15f : 0.11f;
    paint_cone({foot, width * 0.75f, foot + Vec{toe, -0.03f}, width * 0.5f}, colour);
    paint_cone({foot, width * 0.7f, foot + Vec{-toe * 0.7f, -0.03f}, width * 0.4f}, colour);
  }

  void paint_legs() {
    const Rgb colour = field_colour(plumage_, Field::kLegs, 0x6A5A50);
    const Vec swing{0.1f * pose_.leg_swing, 0};
    const Vec apart{0.13f, 0.03f};
    paint_leg(anatomy_.hip + apart * 0.5f, anatomy_.foot + apart - swing, colour * 0.78f);
    paint_leg(anatomy_.hip - apart * 0.5f, anatomy_.foot + swing, colour);
    if (anatomy_.beak == BeakShape::kHook) {  // a bird of prey's feathered thighs
      Place place = place_on_body(torso_.b + Vec{0.1f, -0.05f});
      place.on_torso = {-0.3f, -0.5f};
      paint_cone({anatomy_.hip, 0.15f, mix(anatomy_.hip, anatomy_.foot, 0.6f), 0.05f},
                 plumage_colour(plumage_, place));
    }
  }

  void paint_toes() {
    const Rgb colour = field_colour(plumage_, Field::kLegs, 0xB0A080);
    for (const float side : {-1.0f, 1.0f}) {
      for (const float toe : {-0.07f, 0.0f, 0.07f}) {
        const Vec root{side * anatomy_.foot.x + toe, anatomy_.foot.y + 0.05f};
        paint_cone({root, 0.05f, root + Vec{toe * 0.2f, -0.09f}, 0.035f}, colour);
      }
    }
  }

  void paint_crest() {
    const Rgb colour = from_hex(plumage_.crest_hex);
    // Feathers fan out from the crown backwards; the middle one is the longest.
    const float lengths[] = {0.7f, 0.92f, 1.0f, 0.85f};
    for (int i = 0; i < 4; ++i) {
      const Vec root{0.3f - 0.22f * i, 0.72f - 0.06f * i};
      const Vec way = direction(112 + 17.0f * i) * (plumage_.crest * lengths[i]);
      const Vec tip = root + way + Vec{-0.12f * plumage_.crest, 0};
      paint_cone({off_head(root), 0.3f * anatomy_.head_radius, off_head(tip), 0.02f}, colour);
    }
  }

  void paint_tufts() {
    if (plumage_.crest <= 0) return;
    for (const float side : {-1.0f, 1.0f}) {
      const Vec tip{side * 0.62f, 0.7f + plumage_.crest};
      paint_cone({off_head({side * 0.48f, 0.6f}), 0.24f * anatomy_.head_radius, off_head(tip), 0.02f},
                 from_hex(plumage_.crest_hex));
    }
  }

  // The outline in units of the bird, from the head's centre, x towards the tip.
  std::vector<Vec> beak_outline() const {
    const float base = 0.82f * anatomy_.head_radius;
    const float tip = base + anatomy_.beak_length;
    const float half = 0.5f * anatomy_.beak_depth;
    const float reach = anatomy_.beak_length;
    const auto curves = [](Vec a, Vec b, Vec c, Vec d,
                           Vec e) {  // a upper root, b pull, c tip, d pull, e lower root
      std::vector<Vec> outline;
      for (int i = 0; i <= 6; ++i) outline.push_back(on_curve(a, b, c, static_cast<float>(i) / 6));
      for (int i = 1; i <= 6; ++i) outline.push_back(on_curve(c, d, e, static_cast<float>(i) / 6));
      return outline;
    };
    switch (anatomy_.beak) {
      case BeakShape::kCone:
        return curves({base, half}, {base + 0.65f * reach, 0.6f * half}, {tip, -0.2f * half},
                      {base + 0.5f * reach, -0.8f * half}, {base, -half});
      case BeakShape::kNeedle:
      case BeakShape::kDagger:
      case BeakShape::kChisel:
        return curves({base, half}, {base + 0.5f * reach, 0.45f * half}, {tip, 0},
                      {base + 0.5f * reach, -0.6f * half}, {base, -half});
      case BeakShape::kHook:
        return curves({base, 0.9f * half}, {base + 1.15f * reach, 0.9f * half},
                      {base + 0.86f * reach, -1.5f * half}, {base + 0.55f * reach, -0.2f * half},
                      {base, -0.9f * half});
      case BeakShape::kParrot:
        return curves({base, 0.9f * half}, {base + 1.5f * reach, 0.9f * half},
                      {base + 0.7f * reach, -1.5f * half}, {base + 0.45f * reach, -0.5f * half},
                      {base - 0.02f, -1.0f * half});
      case BeakShape::kFlat:
        return {{base - 0.03f, half},
                {base + 0.3f * reach, 0.35f * half},
                {base + 0.7f * reach, 0.15f * half},
                {base + 0.95f * reach, 0.1f * half},
                {base + 1.04f * reach, -0.35f * half},
                {base + 0.92f * reach, -0.8f * half},
                {base + 0.4f * reach, -0.9f * half},
                {base - 0.03f, -0.8f * half}};
    }
    return {};
  }

  void paint_beak() {
    std::vector<Vec> outline;
    if (facing()) {
      const float half = 0.5f * anatomy_.beak_depth;
      const Vec root = off_head({0, -0.02f});
      outline = {root + Vec{-half, 0},
                 root + Vec{0, 0.3f * half},
                 root + Vec{half, 0},
                 root + Vec{0.4f * half, -0.7f * anatomy_.beak_length},
                 root + Vec{0, -anatomy_.beak_length},
                 root + Vec{-0.4f * half, -0.7f * anatomy_.beak_length}};
    } else {
      outline = beak_outline();
      for (auto& p : outline) p = off_head(p * (1 / anatomy_.head_radius));
    }
    const auto shape = [&](Vec p) { return distance(p, outline) - 0.006f; };
    canvas_.paint(pose_.view, grown(bounds(outline)), shape, [&](Vec p, float depth) {
      const Vec local = on_head(p) * anatomy_.head_radius;
      const Vec on_part{(local.x - 0.82f * anatomy_.head_radius) / anatomy_.beak_length,
                        local.y / (0.5f * anatomy_.beak_depth)};
      const Rgb colour =
          plumage_colour(plumage_, place_on_part(Part::kBeak, p, facing() ? Vec{0.5f, 0.5f} : on_part));
      return shaded(colour, p, depth, 0.4f * anatomy_.beak_depth, shape);
    });
  }

  void paint_disc(Vec centre, float radius, Rgb colour) {
    const Cone disc{centre, radius, centre, radius};
    canvas_.paint(
        pose_.view, grown(bounds(disc)), [&](Vec p) { return length(p - centre) - radius; },
        [&](Vec, float) { return colour; });
  }

  void paint_eye(Vec centre) {
    const float radius = anatomy_.eye_radius;
    const Rgb iris = field_colour(plumage_, Field::kEye, 0x1C1614);
    for (const auto& patch : plumage_.patches) {
      if (patch.field == Field::kEyeRing) paint_disc(centre, radius * 1.7f, from_hex(patch.hex));
    }
    paint_disc(centre, radius * 1.25f, from_hex(0x2A2320));
    paint_disc(centre, radius, iris);
    paint_disc(centre, radius * 0.58f, from_hex(0x0E0B0A));
    paint_disc(centre + Vec{-0.3f, 0.35f} * radius, std::max(0.3f * radius, 0.012f), from_hex(0xFFFFFF));
  }

  void paint_eyes() {
    paint_eye(off_head(anatomy_.eye));
    if (facing()) paint_eye(off_head({-anatomy_.eye.x, anatomy_.eye.y}));
  }

  static Box grown(Box box) {
    constexpr float kMargin = 0.08f;
    return {box.left - kMargin, box.bottom - kMargin, box.right + kMargin, box.top + kMargin};
  }

  Canvas& canvas_;
  const Anatomy& anatomy_;
  const Plumage& plumage_;
  const Pose& pose_;
  Cone torso_;
  Cone wing_;
  std::vector<Cone> neck_;
  Vec head_;
  Vec light_;
};

}  // namespace

void paint_bird(Canvas& canvas, const Anatomy& anatomy, const Plumage& plumage, const Pose& pose) {
  Sitter(canvas, anatomy, plumage, pose).paint();
}

}  // namespace procsim::fieldguide
