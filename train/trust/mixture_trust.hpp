#pragma once

#include <memory>

#include "train/frame/objective.hpp"
#include "train/frame/sample_trust.hpp"

namespace procsim::train {

// DivideMix's selection (Li et al. 2020), by one network: at the start of every epoch two Gaussians are
// fitted to the losses of the whole set, and a label counts where its loss more likely belongs to the lower
// one. Where the losses cannot be split, all labels count.
class MixtureTrust : public SampleTrust {
 public:
  // `objective`: one whose value of a sample depends on it alone, on `device`.
  MixtureTrust(std::shared_ptr<Objective> objective, torch::Device device)
      : objective_(std::move(objective)), device_(device) {}

  std::vector<Quantity> quantities() const override;
  void begin_epoch(const TrainingSet& set) override;
  // begin_epoch, or restore, comes first.
  Trust operator()(const Batch& batch, const torch::Tensor& embeddings) override;

  void save(const CheckpointPart& part) const override;
  void restore(const CheckpointPart& part) override;

 private:
  std::shared_ptr<Objective> objective_;
  torch::Device device_;
  std::vector<double> losses_, clean_;  // of every training sample: its loss, how likely it is a low one
};

// How likely each loss is one of the lower component; 1 where the losses cannot be split.
std::vector<double> clean_probabilities(const std::vector<double>& losses);

}  // namespace procsim::train
