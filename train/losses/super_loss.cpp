#include "train/losses/super_loss.hpp"

#include "data/base/error.hpp"

namespace procsim::train {
namespace {

nlohmann::json to_json(const RunningAverage& average) {
  if (!average.state) return nullptr;
  return *average.state;
}

void from_json(const nlohmann::json& json, RunningAverage& average) {
  average.state = json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

}  // namespace

void SuperLossOptions::validate() const {
  contrastive.validate();
  if (!(lambda > 0)) throw Error("SuperLoss's lambda must be above 0");
  if (!(rate > 0 && rate <= 1)) throw Error("SuperLoss's averaging rate must be in (0, 1]");
}

SuperLoss::SuperLoss(const SuperLossOptions& options)
    : options_(options), positive_(options.rate), negative_(options.rate) {
  options_.validate();
}

torch::Tensor SuperLoss::weighted(const torch::Tensor& terms, const torch::Tensor& mask,
                                  RunningAverage& average) const {
  const auto losses = terms.detach().masked_select(mask).to(torch::kCPU, torch::kFloat64);
  if (losses.numel() == 0) return terms;
  average.add(losses.mean().item<double>());
  auto sigma = torch::empty_like(losses);
  const double* loss = losses.data_ptr<double>();
  double* value = sigma.data_ptr<double>();
  for (std::int64_t i = 0; i < losses.numel(); ++i)
    value[i] = superloss_confidence(loss[i], *average.state, options_.lambda);
  const auto weights = torch::ones_like(terms.detach()).masked_scatter(mask, sigma.to(terms.options()));
  return terms * weights;
}

torch::Tensor SuperLoss::operator()(const LossBatch& batch) {
  const auto terms = contrastive_terms(batch, options_.contrastive);
  return average_nonzero(weighted(terms.positive, terms.masks.positive, positive_),
                         weighted(terms.negative, terms.masks.negative, negative_));
}

void SuperLoss::save(const CheckpointPart& part) const {
  part.put_value("averages", {to_json(positive_), to_json(negative_)});
}

void SuperLoss::restore(const CheckpointPart& part) {
  const auto averages = part.value("averages");
  from_json(averages.at(0), positive_);
  from_json(averages.at(1), negative_);
}

}  // namespace procsim::train
