#include "train/methods/weighted_average.hpp"

namespace procsim::train {

torch::Tensor weighted_average(const torch::Tensor& losses, const torch::Tensor& weights, AverageOver over) {
  const auto weighted = weights * losses;
  if (over == AverageOver::kSamples) return weighted.mean();
  const auto contributing = (losses.detach() != 0).to(weights.dtype());
  return weighted.sum() / (weights * contributing).sum().clamp_min(1);
}

}  // namespace procsim::train
