#include "data/base/keyed_random.hpp"
#include "train/frame/component.hpp"
#include "train/frame/option_check.hpp"
#include "train/losses/pair_sums.hpp"

// Semi-hard triplets in three published forms, which differ in what they choose and average.
namespace procsim::train {
namespace {

struct TripletOptions {
  std::string form = "all";
  double margin = 0.2;

  void validate() const {
    require_choice("--triplet-form", form, {"all", "facenet", "sampled"});
    require_option(margin > 0, "--triplet-margin", margin, "above 0");
  }
  template <typename Self, typename Visitor>
  static void fields(Self& self, const Visitor& visit) {
    visit("form", self.form,
          "Triplet: all (every semi-hard one, mean over those that count), facenet (of each pair the nearest "
          "negative beyond it) or sampled (one of each anchor)");
    visit("margin", self.margin, "Triplet: how much nearer the positive must be");
  }
};

class TripletLoss : public Objective {
 public:
  TripletLoss(const TripletOptions& options, std::uint64_t seed)
      : options_(options), random_(seed, "train/triplet") {
    options_.validate();
  }

  torch::Tensor operator()(const LossBatch& batch) override {
    const auto similarity = torch::mm(batch.embeddings, batch.embeddings.t());
    const auto masks = pair_masks(batch);
    const auto& weights = batch.partner_confidence;
    if (options_.form == "all") return all(distances_of(similarity), masks, weights);
    if (options_.form == "facenet") return facenet(2 - 2 * similarity, masks, weights);
    return sampled(2 - 2 * similarity, masks, weights);
  }

  void save(const CheckpointPart& part) const override { part.put_value("draws", draws_); }
  void restore(const CheckpointPart& part) override { part.value("draws").get_to(draws_); }

 private:
  // Every triplet whose negative is farther than the positive, by no more than the margin.
  torch::Tensor all(const torch::Tensor& distance, const PairMasks& masks,
                    const torch::Tensor& weights) const {
    const auto gap = distance.unsqueeze(1) - distance.unsqueeze(2);  // anchor, positive, negative
    const auto semi_hard =
        masks.positive.unsqueeze(2) & masks.negative.unsqueeze(1) & (gap > 0) & (gap <= options_.margin);
    auto terms = torch::where(semi_hard, options_.margin - gap, torch::zeros_like(gap));
    if (weights.defined()) terms = terms * weights.view({1, -1, 1}) * weights.view({1, 1, -1});
    return terms.sum({1, 2}) * distance.size(0) / (terms > 0).sum().clamp_min(1);
  }

  // Of every pair the nearest negative that is farther than the positive, else the farthest of all.
  torch::Tensor facenet(const torch::Tensor& squared, const PairMasks& masks,
                        const torch::Tensor& weights) const {
    constexpr double kFar = 1e9;
    const auto fixed = squared.detach();
    const auto beyond = masks.negative.unsqueeze(1) & (fixed.unsqueeze(1) > fixed.unsqueeze(2));
    const auto nearest = fixed.unsqueeze(1).expand_as(beyond).masked_fill(~beyond, kFar).argmin(2);
    const auto farthest = fixed.masked_fill(~masks.negative, -kFar).argmax(1, true).expand_as(nearest);
    const auto chosen = torch::where(beyond.any(2), nearest, farthest);
    auto terms = (options_.margin + squared - squared.gather(1, chosen)).clamp_min(0);
    terms = torch::where(masks.positive & masks.negative.any(1, true), terms, torch::zeros_like(terms));
    if (weights.defined()) terms = terms * weights.unsqueeze(0) * weights.index({chosen});
    return terms.sum(1) * squared.size(0) / masks.positive.sum().clamp_min(1);
  }

  // Of every anchor one positive, and one negative: semi-hard where there is one.
  torch::Tensor sampled(const torch::Tensor& squared, const PairMasks& masks, const torch::Tensor& weights) {
    auto draws = random_.for_id(draws_++);
    const auto distance = squared.detach().clamp_min(0).sqrt().to(torch::kCPU, torch::kFloat64);
    const auto positive = masks.positive.to(torch::kCPU);
    const auto negative = masks.negative.to(torch::kCPU);
    const auto pick = [&](const torch::Tensor& mask) {
      const auto places = mask.nonzero().squeeze(1);
      const auto one = draws.below(static_cast<std::uint64_t>(places.numel()));
      return places[static_cast<std::int64_t>(one)].item<std::int64_t>();
    };
    std::vector<std::int64_t> anchors;
    std::vector<std::int64_t> near;
    std::vector<std::int64_t> far;
    for (std::int64_t i = 0; i < squared.size(0); ++i) {
      if (!positive[i].any().item<bool>() || !negative[i].any().item<bool>()) continue;
      anchors.push_back(i);
      near.push_back(pick(positive[i]));
      const auto gap = distance[i] - distance[i][near.back()];
      const auto semi_hard = negative[i] & (gap > 0) & (gap < options_.margin);
      far.push_back(pick(semi_hard.any().item<bool>() ? semi_hard : negative[i]));
    }
    const auto place = [&](const std::vector<std::int64_t>& list) {
      return torch::tensor(list, torch::kInt64).to(squared.device());
    };
    const auto a = place(anchors);
    const auto p = place(near);
    const auto n = place(far);
    auto terms = (squared.index({a, p}) - squared.index({a, n}) + options_.margin).clamp_min(0);
    if (weights.defined()) terms = terms * weights.index({p}) * weights.index({n});
    const auto scale =
        static_cast<double>(squared.size(0)) / static_cast<double>(std::max<std::size_t>(anchors.size(), 1));
    return (0 * squared.sum(1)).index_add(0, a, terms * scale);
  }

  TripletOptions options_;
  KeyedRandom random_;
  std::int64_t draws_ = 0;  // batches that have been drawn from
};

}  // namespace

ObjectiveComponent triplet_objective() {
  auto component = objective_component<TripletOptions>(
      "triplet", "triplet", [](MethodParts& parts, const TripletOptions& options) {
        return std::make_unique<TripletLoss>(options, parts.config.seed);
      });
  component.description = "semi-hard triplets";
  component.source = "Schroff et al. 2015";
  return component;
}

}  // namespace procsim::train
