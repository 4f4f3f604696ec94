#include "train/losses/pair_sums.hpp"

#include <limits>

namespace procsim::train {
namespace {

torch::Tensor with_weights(const torch::Tensor& exponents, const torch::Tensor& weights) {
  return weights.defined() ? exponents + weights.log().unsqueeze(0) : exponents;
}

}  // namespace

torch::Tensor distances_of(const torch::Tensor& similarity) {
  return (2 - 2 * similarity).clamp_min(1e-12).sqrt();
}

torch::Tensor log_sum(const torch::Tensor& exponents, const torch::Tensor& mask,
                      const torch::Tensor& weights) {
  // Not −∞, whose gradient is not a number in a row of nothing else.
  constexpr double kNothing = -1e9;
  return torch::logsumexp(with_weights(exponents, weights).masked_fill(~mask, kNothing), 1);
}

torch::Tensor log_one_plus_sum(const torch::Tensor& exponents, const torch::Tensor& mask,
                               const torch::Tensor& weights) {
  const auto kept =
      with_weights(exponents, weights).masked_fill(~mask, -std::numeric_limits<float>::infinity());
  return torch::logsumexp(torch::cat({torch::zeros_like(kept.slice(1, 0, 1)), kept}, 1), 1);
}

torch::Tensor mean_over(const torch::Tensor& values, const torch::Tensor& counted) {
  const auto scale =
      static_cast<double>(values.size(0)) / counted.sum().clamp_min(1).to(values.scalar_type());
  return torch::where(counted, values * scale, torch::zeros_like(values));
}

}  // namespace procsim::train
