#pragma once

#include "train/frame/objective.hpp"

namespace procsim::train {

struct MultiSimilarityLossOptions {
  double alpha = 2;
  double beta = 40;
  double delta = 0.5;    // δ, the similarity that both sums measure from
  double epsilon = 0.1;  // ε of the mining
  bool mining = true;

  void validate() const;  // throws UsageError naming the option

  template <typename Self, typename Visitor>
  static void fields(Self& self, const Visitor& visit) {
    visit("alpha", self.alpha, "Multi-Similarity: weight of positives");
    visit("beta", self.beta, "Multi-Similarity: weight of negatives");
    visit("delta", self.delta, "Multi-Similarity: similarity margin");
    visit("epsilon", self.epsilon, "Multi-Similarity: margin of the mining");
    visit("mining", self.mining, "Multi-Similarity: keep only informative pairs (true or false)");
  }
};

// Multi-Similarity (Wang et al. 2019; docs/paper-map.md, Eq. 5). A sample whose mined positives or negatives
// are empty has the value 0.
class MultiSimilarityLoss : public Objective {
 public:
  explicit MultiSimilarityLoss(const MultiSimilarityLossOptions& options = {});
  torch::Tensor operator()(const LossBatch& batch) override;

 private:
  MultiSimilarityLossOptions options_;
};

}  // namespace procsim::train
