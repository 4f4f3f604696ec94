#include "train/trust/prism.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "train/frame/component.hpp"
#include "train/frame/option_check.hpp"
#include "train/trust/judgement.hpp"

namespace procsim::train {

void PrismOptions::validate() const {
  require_option(window >= 1, "--prism-window", static_cast<double>(window), "1 or more");
}

std::int64_t dropped_of(double rate, std::int64_t count) {
  return static_cast<std::int64_t>(std::floor(rate * static_cast<double>(count) + 1e-9));
}

PrismTrust::PrismTrust(const PrismOptions& options, std::shared_ptr<CrossBatchMemory> memory,
                       std::int64_t classes, double rate)
    : options_(options), memory_(std::move(memory)), classes_(classes), rate_(rate) {
  options_.validate();
  memory_->select();
}

std::vector<Quantity> PrismTrust::quantities() const {
  return {{.name = "doubt",
           .title = "1 − probability of the label",
           .meaning = Quantity::Meaning::kSuspicion,
           .plot = "Doubt",
           .marker = "threshold"},
          {.name = "kept",
           .title = "labels that are kept",
           .meaning = Quantity::Meaning::kTrust,
           .symbol = "kept",
           .plot = "Confidence"},
          {.name = "threshold",
           .title = "doubt beyond which labels are dropped",
           .kind = Quantity::Kind::kScalar,
           .plot = "Doubt"}};
}

std::vector<double> PrismTrust::probabilities(const torch::Tensor& embeddings,
                                              const torch::Tensor& labels) const {
  const torch::NoGradGuard no_gradients;
  const auto remembered = memory_->labels();
  const auto rows = memory_->embeddings();
  const auto counts = torch::zeros({classes_, 1}, rows.options())
                          .index_add(0, remembered, torch::ones({rows.size(0), 1}, rows.options()));
  const auto centres = torch::zeros({classes_, rows.size(1)}, rows.options()).index_add(0, remembered, rows) /
                       counts.clamp_min(1);
  const auto likely = torch::mm(embeddings.to(rows.dtype()), centres.t())
                          .softmax(1)
                          .gather(1, labels.unsqueeze(1))
                          .squeeze(1);
  const auto known = counts.squeeze(1).index_select(0, labels) > 0;
  return doubles(torch::where(known, likely, torch::ones_like(likely)));
}

std::vector<std::uint8_t> PrismTrust::kept(const std::vector<double>& probability, Trust& trust) {
  std::vector<std::uint8_t> keep(probability.size(), 1);
  const auto count = dropped_of(rate_, static_cast<std::int64_t>(probability.size()));
  if (memory_->size() == 0 || count == 0) return keep;
  std::vector<std::size_t> order(probability.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return probability[a] < probability[b]; });
  const double quantile = probability[order[static_cast<std::size_t>(count - 1)]];
  if (quantile < 1) window_.push_back(quantile);
  while (window_.size() > static_cast<std::size_t>(options_.window)) window_.pop_front();
  const double threshold = window_.empty() ? 1
                                           : std::accumulate(window_.begin(), window_.end(), 0.0) /
                                                 static_cast<double>(window_.size());
  if (!window_.empty() && probability[order.back()] > threshold) {
    trust.scalars.emplace_back("threshold", 1 - threshold);
    for (std::size_t i = 0; i < keep.size(); ++i) keep[i] = probability[i] > threshold ? 1 : 0;
    return keep;
  }
  // Nothing lies above it: the least likely go, and the threshold starts anew.
  while (window_.size() > 1) window_.pop_front();
  for (std::int64_t i = 0; i < count; ++i) {
    const auto place = order[static_cast<std::size_t>(i)];
    if (probability[place] < 1) keep[place] = 0;
  }
  return keep;
}

Trust PrismTrust::operator()(const Batch& batch, const torch::Tensor& embeddings) {
  const LossBatch seen{embeddings, batch.labels.to(embeddings.device()), {}, &batch};
  Trust trust;
  const auto probability = probabilities(embeddings, seen.labels);
  const auto keep = kept(probability, trust);
  std::vector<double> doubt;
  for (const double value : probability) doubt.push_back(1 - value);
  trust.weight.assign(keep.begin(), keep.end());
  trust.partner = trust.weight;
  trust.columns.emplace_back("doubt", std::move(doubt));
  memory_->offer(seen, torch::tensor(keep, torch::kUInt8) > 0);
  return trust;
}

void PrismTrust::save(const CheckpointPart& part) const {
  part.put_value("window", std::vector<double>(window_.begin(), window_.end()));
}

void PrismTrust::restore(const CheckpointPart& part) {
  const auto values = part.value("window").get<std::vector<double>>();
  window_.assign(values.begin(), values.end());
}

TrustComponent prism_trust() {
  TrustComponent component;
  component.name = "prism";
  component.description = "labels that the memory of their class makes likely; needs the noise rate";
  component.source = "Liu et al. 2021";
  component.state = "a memory of what was kept, thresholds of the last batches";
  component.needs_rate = true;
  component.drops_rate = true;
  component.uses = {"memory_"};
  component.options = option_infos<PrismOptions>("prism");
  component.check = [](const TrainConfig& config) {
    read_options<PrismOptions>(config, "prism").validate();
    read_options<CrossBatchMemoryOptions>(config, CrossBatchMemory::kPrefix).validate();
  };
  component.make = [](MethodParts& parts) {
    return std::make_unique<PrismTrust>(read_options<PrismOptions>(parts.config, "prism"),
                                        CrossBatchMemory::of(parts), parts.classes, parts.noise_rate.value());
  };
  return component;
}

}  // namespace procsim::train
