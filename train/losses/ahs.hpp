#pragma once

#include <string>

#include "train/frame/objective.hpp"

namespace procsim::train {

struct AhsOptions {
  std::string form = "ms";
  double gamma = 0.5;

  void validate() const;  // throws UsageError naming the option
  template <typename Self, typename Visitor>
  static void fields(Self& self, const Visitor& visit) {
    visit("form", self.form, "AHS: the loss that gets its margins: ms, triplet or lifted");
    visit("gamma", self.gamma, "AHS: where the margins lie");
  }
};

// Adaptive hierarchical similarity (Yan et al. 2021): margins that follow how alike the classes of the batch
// are, and a second view of every sample as a relation with a margin of its own. Only its Multi-Similarity
// form was published in words that we could read; the map of similarities to margins, the scales, the other
// two forms, cosines in place of hyperbolic distances and statistics of the batch are our reading.
// `views`: B × D embeddings of the second views.
torch::Tensor ahs_values(const LossBatch& batch, const torch::Tensor& views, const AhsOptions& options);

}  // namespace procsim::train
