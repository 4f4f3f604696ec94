#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "train/models/torch.hpp"
#include "train/thresholds/confidence.hpp"

namespace procsim::train {

// How well each label fits the other samples that carry it: ℓᵢ = −ln softmax_c(2·scale·cos(xᵢ, m_c)) at the
// sample's class, with m_c the weighted mean of class c without sample i. Nothing is learnt from a sample's
// own label, so a wrong label cannot vouch for itself. Where all other samples of the class weigh 0 they
// count in full; the only sample of its class cannot be judged and gets 0.
//
// `embeddings` has a unit row per sample, `labels` are dense and below `classes`. Memory: a block of rows ×
// classes.
std::vector<double> leave_one_out_losses(const torch::Tensor& embeddings,
                                         std::span<const std::int64_t> labels,
                                         std::span<const double> weights, std::int64_t classes, double scale);

// The confidence of a whole data set: losses by class means, then `rule`, then again with the confidences as
// weights of the means, `rounds` times in all.
struct SetConfidence {
  std::vector<double> losses;
  BatchConfidence confidence;
};
SetConfidence class_means_confidence(const torch::Tensor& embeddings, std::span<const std::int64_t> labels,
                                     std::int64_t classes, double scale, ConfidenceRule& rule,
                                     int rounds = 3);

}  // namespace procsim::train
