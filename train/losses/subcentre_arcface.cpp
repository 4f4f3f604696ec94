#include <cmath>
#include <numbers>

#include "train/frame/component.hpp"
#include "train/frame/option_check.hpp"
#include "train/losses/class_vectors.hpp"

namespace procsim::train {
namespace {

struct SubcentreArcfaceOptions {
  std::int64_t centres = 3;
  double margin = 28.6;  // degrees
  double scale = 64;
  double lr = 1e-2;

  void validate() const {
    require_option(centres >= 1 && centres <= 100, "--subcentre-arcface-centres",
                   static_cast<double>(centres), "in [1, 100]");
    require_option(margin >= 0 && margin < 90, "--subcentre-arcface-margin", margin, "in [0, 90)");
    require_option(scale > 0, "--subcentre-arcface-scale", scale, "above 0");
    require_option(lr > 0, "--subcentre-arcface-lr", lr, "above 0");
  }
  template <typename Self, typename Visitor>
  static void fields(Self& self, const Visitor& visit) {
    visit("centres", self.centres, "Sub-centre ArcFace: centres of each class");
    visit("margin", self.margin, "Sub-centre ArcFace: margin in degrees");
    visit("scale", self.scale, "Sub-centre ArcFace: scale of the logits");
    visit("lr", self.lr, "Sub-centre ArcFace: Adam's rate for the centres");
  }
};

class SubcentreArcfaceLoss : public ClassVectorLoss {
 public:
  SubcentreArcfaceLoss(torch::Tensor centres, const SubcentreArcfaceOptions& options)
      : ClassVectorLoss(std::move(centres), options.lr), options_(options) {
    options_.validate();
  }

  torch::Tensor operator()(const LossBatch& batch) override {
    const auto all = torch::mm(batch.embeddings, unit_rows(vectors()).t())
                         .view({batch.embeddings.size(0), -1, options_.centres});
    const auto cosine = std::get<0>(all.max(2));
    const double margin = options_.margin * std::numbers::pi / 180;
    const auto places = batch.labels.unsqueeze(1);
    const auto own = cosine.gather(1, places);
    const auto sine = (1 - own.square()).clamp_min(1e-12).sqrt();
    // Beyond π − margin the cosine would rise again: there it falls on in a line.
    const auto moved =
        torch::where(own >= -std::cos(margin), own * std::cos(margin) - sine * std::sin(margin),
                     own - margin * std::sin(margin));
    return cross_entropy_of(options_.scale * cosine.scatter(1, places, moved), batch.labels);
  }

 private:
  SubcentreArcfaceOptions options_;
};

}  // namespace

ObjectiveComponent subcentre_arcface_objective() {
  auto component = objective_component<SubcentreArcfaceOptions>(
      "subcentre-arcface", "subcentre_arcface",
      [](MethodParts& parts, const SubcentreArcfaceOptions& options) {
        auto centres = drawn_rows(parts.classes * options.centres, parts.network.model().dimension(),
                                  {.scale = 1}, parts.config.seed, "train/subcentre-arcface");
        return std::make_unique<SubcentreArcfaceLoss>(on_device(centres, parts.network.device()), options);
      });
  component.description = "an angular margin to the nearest of several centres of the class";
  component.state = "centres of each class";
  component.source = "Deng et al. 2020";
  component.of_samples = true;
  return component;
}

}  // namespace procsim::train
