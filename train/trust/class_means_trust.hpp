#pragma once

#include "train/frame/sample_trust.hpp"
#include "train/trust/class_means.hpp"

namespace procsim::train {

// Ours: the confidence of every sample from the whole set, once an epoch (train/trust/class_means.hpp).
// Nothing is learnt from a sample's own label.
class ClassMeansTrust : public SampleTrust {
 public:
  // `scale`: of the cosines, as that of proxies.
  ClassMeansTrust(double scale, const ConfidenceRule& rule) : scale_(scale), rule_(rule) {}

  std::vector<Quantity> quantities() const override;
  void begin_epoch(const TrainingSet& set) override;
  // begin_epoch, or restore, comes first.
  Trust operator()(const Batch& batch, const torch::Tensor& embeddings) override;

  // Confidences hold for an epoch: one that was interrupted goes on with those it began with.
  void save(const CheckpointPart& part) const override;
  void restore(const CheckpointPart& part) override;

 private:
  double scale_;
  ConfidenceRule rule_;
  SetConfidence set_;
};

}  // namespace procsim::train
