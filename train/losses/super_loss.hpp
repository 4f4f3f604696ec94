#pragma once

#include "train/losses/contrastive.hpp"
#include "train/thresholds/confidence.hpp"

namespace procsim::train {

struct SuperLossOptions {
  ContrastiveLossOptions contrastive{};
  double lambda = 1;
  double rate = 0.1;  // of the running averages that are τ

  void validate() const;
};

// SuperLoss on the contrastive loss (Castells et al. 2020; docs/paper-map.md, Eq. 2): every pair's term is
// weighted by a confidence of its own, with τ the running average of the positive (negative) pairs' losses.
class SuperLoss : public Objective {
 public:
  explicit SuperLoss(const SuperLossOptions& options = {});
  torch::Tensor operator()(const LossBatch& batch) override;

  void save(const CheckpointPart& part) const override;
  void restore(const CheckpointPart& part) override;

 private:
  torch::Tensor weighted(const torch::Tensor& terms, const torch::Tensor& mask,
                         RunningAverage& average) const;

  SuperLossOptions options_;
  RunningAverage positive_;
  RunningAverage negative_;
};

}  // namespace procsim::train
