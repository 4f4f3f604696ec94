#pragma once

#include "train/losses/sample_loss.hpp"

namespace procsim::train {

struct MultiSimilarityLossOptions {
  double alpha = 2;
  double beta = 40;
  double delta = 0.5;    // δ, the similarity that both sums measure from
  double epsilon = 0.1;  // ε of the mining
  bool mining = true;

  void validate() const;  // throws Error naming the field
};

// Multi-Similarity (Wang et al. 2019; docs/paper-map.md, Eq. 5). A sample whose mined positives or negatives
// are empty has the value 0.
class MultiSimilarityLoss : public SampleLoss {
 public:
  explicit MultiSimilarityLoss(const MultiSimilarityLossOptions& options = {});
  torch::Tensor operator()(const LossBatch& batch) override;

 private:
  MultiSimilarityLossOptions options_;
};

}  // namespace procsim::train
