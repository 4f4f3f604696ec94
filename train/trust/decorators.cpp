#include "train/trust/decorators.hpp"

#include <cmath>

#include "train/trust/judgement.hpp"

namespace procsim::train {
namespace {

// Whether the inner trust could judge the batch: where it could not, nothing is made of it.
bool judged(const Trust& trust) { return trust.weight.empty() || !std::isnan(trust.weight.front()); }

}  // namespace

FullTrust::FullTrust(std::unique_ptr<SampleTrust> inner, std::optional<std::int64_t> epochs)
    : TrustDecorator(std::move(inner)), epochs_(epochs) {}

Trust FullTrust::operator()(const Batch& batch, const torch::Tensor& embeddings) {
  auto trust = inner()(batch, embeddings);
  if (judged(trust) && (!epochs_ || batch.epoch < *epochs_)) {
    trust.weight.assign(trust.weight.size(), 1.0);
    trust.labels.clear();
    trust.partner.clear();
  }
  return trust;
}

OracleTrust::OracleTrust(std::unique_ptr<SampleTrust> inner, std::span<const std::uint8_t> wrong)
    : TrustDecorator(std::move(inner)), wrong_(wrong) {}

Trust OracleTrust::operator()(const Batch& batch, const torch::Tensor& embeddings) {
  auto trust = inner()(batch, embeddings);
  if (!judged(trust)) return trust;
  for (std::size_t i = 0; i < batch.samples.size(); ++i)
    trust.weight[i] = wrong_[static_cast<std::size_t>(batch.samples[i])] != 0 ? 0 : 1;
  return trust;
}

SuperLossTrust::SuperLossTrust(std::unique_ptr<SampleTrust> inner, std::shared_ptr<Objective> objective,
                               double lambda)
    : TrustDecorator(std::move(inner)), objective_(std::move(objective)), lambda_(lambda) {}

Trust SuperLossTrust::operator()(const Batch& batch, const torch::Tensor& embeddings) {
  auto trust = inner()(batch, embeddings);
  if (!judged(trust)) return trust;
  std::vector<double> own;
  {
    const torch::NoGradGuard no_gradients;
    own = doubles((*objective_)({embeddings, batch.labels.to(embeddings.device()), {}}));
  }
  double mean = 0;
  for (const double value : own) mean += value / static_cast<double>(own.size());
  average_.add(mean);
  for (std::size_t i = 0; i < own.size(); ++i)
    trust.weight[i] = superloss_confidence(own[i], *average_.state, lambda_);
  return trust;
}

void SuperLossTrust::save(const CheckpointPart& part) const {
  TrustDecorator::save(part);
  part.put_value("superloss", average_.state ? nlohmann::json(*average_.state) : nlohmann::json());
}

void SuperLossTrust::restore(const CheckpointPart& part) {
  TrustDecorator::restore(part);
  const auto state = part.value("superloss");
  average_.state = state.is_null() ? std::nullopt : std::optional(state.get<double>());
}

Trust PairScope::operator()(const Batch& batch, const torch::Tensor& embeddings) {
  auto trust = inner()(batch, embeddings);
  trust.partner = trust.weight;
  return trust;
}

}  // namespace procsim::train
