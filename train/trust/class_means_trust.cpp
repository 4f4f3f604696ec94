#include "train/trust/class_means_trust.hpp"

#include "train/trust/judgement.hpp"

namespace procsim::train {
namespace {

constexpr const char* kColumn = "class_mean_loss";

template <typename T>
void copy_back(const CheckpointPart& part, const char* name, std::vector<T>& target) {
  const auto& tensor = part.tensor(name);
  target.assign(tensor.template data_ptr<T>(), tensor.template data_ptr<T>() + tensor.numel());
}

}  // namespace

std::vector<Quantity> ClassMeansTrust::quantities() const {
  return confidence_quantities(kColumn, "loss against the class means", /*threshold_of_column=*/true);
}

void ClassMeansTrust::begin_epoch(const TrainingSet& set) {
  set_ = class_means_confidence(set.embeddings(), set.labels, set.classes, scale_, rule_);
}

Trust ClassMeansTrust::operator()(const Batch& batch, const torch::Tensor&) {
  std::vector<double> losses;
  BatchConfidence confidence;
  confidence.threshold = set_.confidence.threshold;
  for (const auto sample : batch.samples) {
    const auto i = static_cast<std::size_t>(sample);
    losses.push_back(set_.losses.at(i));
    confidence.sigma.push_back(set_.confidence.sigma.at(i));
    confidence.above.push_back(set_.confidence.above.at(i));
  }
  return confidence_trust(kColumn, std::move(losses), std::move(confidence));
}

void ClassMeansTrust::save(const CheckpointPart& part) const {
  part.put_value("mean", {rule_.global_mean().sum, rule_.global_mean().count});
  if (set_.losses.empty()) return;
  part.put("losses", torch::tensor(set_.losses, torch::kFloat64));
  part.put("sigma", torch::tensor(set_.confidence.sigma, torch::kFloat64));
  part.put("above", torch::tensor(set_.confidence.above, torch::kUInt8));
  if (set_.confidence.threshold) part.put_value("threshold", *set_.confidence.threshold);
}

void ClassMeansTrust::restore(const CheckpointPart& part) {
  const auto mean = part.value("mean");
  mean.at(0).get_to(rule_.global_mean().sum);
  mean.at(1).get_to(rule_.global_mean().count);
  set_ = {};
  if (!part.holds("losses")) return;
  copy_back(part, "losses", set_.losses);
  copy_back(part, "sigma", set_.confidence.sigma);
  copy_back(part, "above", set_.confidence.above);
  if (part.holds("threshold")) set_.confidence.threshold = part.value("threshold").get<double>();
}

}  // namespace procsim::train
