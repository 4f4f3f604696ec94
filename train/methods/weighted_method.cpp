#include "train/methods/weighted_method.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "train/losses/guidance_loss.hpp"

namespace procsim::train {
namespace {

std::string name_of_weight(const SampleTrust& trust) {
  for (const auto& quantity : trust.quantities())
    if (quantity.meaning == Quantity::Meaning::kTrust) return quantity.name;
  return {};
}

}  // namespace

WeightedMethod::WeightedMethod(const MethodParts& parts, std::unique_ptr<SampleTrust> trust)
    : network_(parts.network),
      objective_(parts.objective),
      objective_parameters_(objective_->parameters(), objective_->learning_rate()),
      trust_(std::move(trust)),
      trust_name_(name_of_weight(*trust_)),
      shared_(parts.shared),
      guidance_(parts.guidance),
      omega_(parts.config.omega),
      guidance_shift_(parts.config.guidance_shift),
      trust_on_guidance_(parts.config.confidence_on_guidance),
      average_over_(parts.config.average_over == "trust" ? AverageOver::kTrust : AverageOver::kSamples) {}

void WeightedMethod::start(const TrainingSet& set) {
  for (const auto& [name, part] : shared_) part->start(set);
}

void WeightedMethod::begin_epoch(const TrainingSet& set) {
  for (const auto& [name, part] : shared_) part->begin_epoch(set);
  trust_->begin_epoch(set);
}

torch::Tensor WeightedMethod::objective_of(const Batch& batch, const LossBatch& seen,
                                           const torch::Tensor& weights) {
  auto objective = weighted_average((*objective_)(seen), weights, average_over_);
  if (guidance_) {
    auto guided = guidance_loss(seen.embeddings, seen.labels,
                                guidance_(batch.samples).to(seen.labels.device()), guidance_shift_);
    if (trust_on_guidance_) guided = weights * guided;
    objective = objective + omega_ * guided.mean();
  }
  if (const auto penalty = objective_->penalty(seen); penalty.defined()) objective = objective + penalty;
  return objective;
}

StepOutcome WeightedMethod::step(const Batch& batch) {
  const auto embeddings = network_.forward(batch.views.front(), batch.stage);
  const auto device = network_.device();
  LossBatch seen{embeddings, batch.labels.to(device), {}, &batch};
  auto trust = (*trust_)(batch, embeddings);

  StepOutcome outcome;
  outcome.scalars = std::move(trust.scalars);
  outcome.columns = std::move(trust.columns);
  outcome.objective = std::numeric_limits<double>::quiet_NaN();
  const bool judged = std::all_of(trust.weight.begin(), trust.weight.end(),
                                  [](double weight) { return std::isfinite(weight); });
  const auto on_device = [&](const std::vector<double>& values) {
    return torch::tensor(values, torch::kFloat64).to(device, torch::kFloat32);
  };
  const auto weights = on_device(trust.weight);
  if (!trust.partner.empty()) seen.partner_confidence = on_device(trust.partner);
  if (!trust.labels.empty()) seen.labels = torch::tensor(trust.labels, torch::kInt64).to(device);
  // A trust that judged the whole set has said it of the whole set.
  if (!trust_name_.empty() && !trust_->judges_set())
    outcome.columns.emplace_back(trust_name_, std::move(trust.weight));
  if (!judged) return outcome;

  const auto objective = objective_of(batch, seen, weights);
  outcome.objective = objective.item<double>();
  if (!std::isfinite(outcome.objective)) return outcome;
  objective_parameters_.zero_grad();
  network_.descend(objective);
  objective_parameters_.step();
  for (const auto& [name, part] : shared_) part->learn();
  return outcome;
}

void WeightedMethod::save(const CheckpointPart& part) {
  network_.save(part);
  objective_parameters_.save(part.below("objective"));
  objective_->save(part.below("objective"));
  trust_->save(part.below("trust"));
  for (const auto& [name, shared] : shared_) shared->save(part.below(name));
}

void WeightedMethod::restore(const CheckpointPart& part) {
  network_.restore(part);
  objective_parameters_.restore(part.below("objective"));
  objective_->restore(part.below("objective"));
  trust_->restore(part.below("trust"));
  for (const auto& [name, shared] : shared_) shared->restore(part.below(name));
}

}  // namespace procsim::train
