#include "train/frame/component.hpp"
#include "train/frame/option_check.hpp"
#include "train/losses/pair_sums.hpp"

namespace procsim::train {
namespace {

struct FastApOptions {
  std::int64_t bins = 10;

  void validate() const {
    require_option(bins >= 1 && bins <= 1000, "--fastap-bins", static_cast<double>(bins), "in [1, 1000]");
  }
  template <typename Self, typename Visitor>
  static void fields(Self& self, const Visitor& visit) {
    visit("bins", self.bins, "FastAP: bins of the squared distance");
  }
};

class FastApLoss : public Objective {
 public:
  explicit FastApLoss(const FastApOptions& options) : options_(options) { options_.validate(); }

  torch::Tensor operator()(const LossBatch& batch) override {
    const auto squared = 2 - 2 * torch::mm(batch.embeddings, batch.embeddings.t());
    const auto [positive, negative] = pair_masks(batch);
    const double width = 4.0 / static_cast<double>(options_.bins);
    const auto centres = torch::arange(options_.bins + 1, squared.options()) * width;
    auto pulses = (1 - (squared.unsqueeze(2) - centres).abs() / width).clamp_min(0);  // B × B × bins
    if (batch.partner_confidence.defined()) pulses = pulses * batch.partner_confidence.view({1, -1, 1});
    const auto histogram = [&](const torch::Tensor& mask) {
      return (pulses * mask.unsqueeze(2).to(pulses.dtype())).sum(1);
    };
    const auto own = histogram(positive);
    const auto so_far = own.cumsum(1);
    const auto all = (own + histogram(negative)).cumsum(1);
    const auto some = all > 0;
    const auto precision =
        torch::where(some, own * so_far / torch::where(some, all, torch::ones_like(all)), 0 * all);
    auto mass = positive.to(squared.dtype());
    if (batch.partner_confidence.defined()) mass = mass * batch.partner_confidence.unsqueeze(0);
    return mean_over(1 - precision.sum(1) / mass.sum(1).clamp_min(1e-12), positive.any(1));
  }

 private:
  FastApOptions options_;
};

}  // namespace

ObjectiveComponent fastap_objective() {
  auto component = objective_component<FastApOptions>(
      "fastap", "fastap",
      [](MethodParts&, const FastApOptions& options) { return std::make_unique<FastApLoss>(options); });
  component.description = "average precision over soft histograms of distances";
  component.source = "Cakir et al. 2019";
  return component;
}

}  // namespace procsim::train
