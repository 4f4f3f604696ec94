#pragma once

#include <memory>

#include "train/frame/method.hpp"
#include "train/frame/method_parts.hpp"
#include "train/frame/own_parameters.hpp"
#include "train/frame/sample_trust.hpp"
#include "train/methods/weighted_average.hpp"

namespace procsim::train {

// The general method (docs/paper-map.md, Eq. 4): an objective whose values are weighted by the trust in each
// sample's label, a guidance that is not, and the objective's penalty, added.
class WeightedMethod : public Method {
 public:
  // `parts` with its objective made; the network must outlive the method.
  WeightedMethod(const MethodParts& parts, std::unique_ptr<SampleTrust> trust);

  std::vector<Quantity> quantities() const override { return trust_->quantities(); }
  std::int64_t views() const override { return objective_->views(); }
  Embedder& evaluated() override { return network_.model(); }

  void start(const TrainingSet& set) override;
  void begin_epoch(const TrainingSet& set) override;
  Columns set_columns() const override { return trust_->set_columns(); }
  StepOutcome step(const Batch& batch) override;

  void save(const CheckpointPart& part) override;
  void restore(const CheckpointPart& part) override;

 private:
  torch::Tensor objective_of(const Batch& batch, const LossBatch& seen, const torch::Tensor& weights);

  Network& network_;
  std::shared_ptr<Objective> objective_;
  OwnParameters objective_parameters_;
  std::unique_ptr<SampleTrust> trust_;
  std::string trust_name_;  // of the weight, in metrics
  std::map<std::string, std::shared_ptr<SharedPart>> shared_;
  std::function<torch::Tensor(std::span<const std::int64_t>)> guidance_;
  double omega_;
  double guidance_shift_;
  bool trust_on_guidance_;
  AverageOver average_over_;
};

}  // namespace procsim::train
