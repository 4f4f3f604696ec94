#pragma once

#include "train/frame/objective.hpp"

namespace procsim::train {

struct ContrastiveLossOptions {
  double positive_margin = 0;
  double negative_margin = 1;

  void validate() const;
};

// The loss of every pair, B × B over (anchor, partner), 0 where the pair is of the other kind.
struct PairTerms {
  PairMasks masks;
  torch::Tensor positive;  // [d − positive_margin]₊
  torch::Tensor negative;  // [negative_margin − d]₊
};
PairTerms contrastive_terms(const LossBatch& batch, const ContrastiveLossOptions& options);

// One value per anchor such that their mean is: the mean over the strictly positive terms of each kind,
// added.
torch::Tensor average_nonzero(const torch::Tensor& positive_terms, const torch::Tensor& negative_terms);

// Contrastive loss on Euclidean distances of unit vectors (Chopra et al. 2005).
class ContrastiveLoss : public Objective {
 public:
  explicit ContrastiveLoss(const ContrastiveLossOptions& options = {});
  torch::Tensor operator()(const LossBatch& batch) override;

 private:
  ContrastiveLossOptions options_;
};

}  // namespace procsim::train
