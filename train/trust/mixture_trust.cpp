#include "train/trust/mixture_trust.hpp"

#include <algorithm>

#include "train/frame/component.hpp"
#include "train/thresholds/gaussian_mixture.hpp"
#include "train/trust/judgement.hpp"

namespace procsim::train {
namespace {

constexpr std::int64_t kBlockOfSet = 2048;

}  // namespace

std::vector<double> clean_probabilities(const std::vector<double>& losses) {
  std::vector<double> clean(losses.size(), 1.0);
  if (losses.empty()) return clean;
  const auto [least, most] = std::minmax_element(losses.begin(), losses.end());
  const double origin = *least;
  const double range = *most - origin;
  if (!(range > 0)) return clean;
  std::vector<double> scaled;
  for (const double loss : losses) scaled.push_back((loss - origin) / range);
  const auto mixture = fit_gaussian_mixture(scaled);
  if (!mixture) return clean;
  for (std::size_t i = 0; i < scaled.size(); ++i) clean[i] = posterior_of_low(*mixture, scaled[i]);
  return clean;
}

std::vector<Quantity> MixtureTrust::quantities() const {
  return {{.name = "set_loss",
           .title = "loss at the start of the epoch",
           .meaning = Quantity::Meaning::kSuspicion,
           .plot = "Losses"},
          {.name = "kept",
           .title = "labels that are kept",
           .meaning = Quantity::Meaning::kTrust,
           .symbol = "kept",
           .plot = "Confidence"}};
}

void MixtureTrust::begin_epoch(const TrainingSet& set) {
  const torch::NoGradGuard no_gradients;
  const auto embeddings = set.embeddings();
  const auto labels =
      torch::tensor(std::vector<std::int64_t>(set.labels.begin(), set.labels.end()), torch::kInt64);
  losses_.clear();
  for (std::int64_t first = 0; first < labels.size(0); first += kBlockOfSet) {
    const auto last = std::min(first + kBlockOfSet, labels.size(0));
    const auto block = doubles((*objective_)(
        {embeddings.slice(0, first, last).to(device_), labels.slice(0, first, last).to(device_), {}}));
    losses_.insert(losses_.end(), block.begin(), block.end());
  }
  clean_ = clean_probabilities(losses_);
}

Trust MixtureTrust::operator()(const Batch& batch, const torch::Tensor&) {
  Trust trust;
  std::vector<double> losses;
  for (const auto sample : batch.samples) {
    const auto i = static_cast<std::size_t>(sample);
    losses.push_back(losses_.at(i));
    trust.weight.push_back(clean_.at(i) > 0.5 ? 1 : 0);
  }
  trust.columns.emplace_back("set_loss", std::move(losses));
  return trust;
}

void MixtureTrust::save(const CheckpointPart& part) const {
  if (losses_.empty()) return;
  part.put("losses", torch::tensor(losses_, torch::kFloat64));
  part.put("clean", torch::tensor(clean_, torch::kFloat64));
}

void MixtureTrust::restore(const CheckpointPart& part) {
  losses_.clear();
  clean_.clear();
  if (!part.holds("losses")) return;
  losses_ = doubles(part.tensor("losses"));
  clean_ = doubles(part.tensor("clean"));
}

TrustComponent mixture_trust() {
  TrustComponent component;
  component.name = "gmm";
  component.description = "labels whose loss over the whole set belongs to the lower of two Gaussians";
  component.source = "Li et al. 2020 (DivideMix's selection)";
  component.state = "a loss of every training sample";
  component.needs_sample_values = true;
  component.make = [](MethodParts& parts) {
    return std::make_unique<MixtureTrust>(parts.objective, parts.network.device());
  };
  return component;
}

}  // namespace procsim::train
