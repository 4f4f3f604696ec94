#include "train/thresholds/gaussian_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "train/thresholds/otsu.hpp"

namespace procsim::train {
namespace {

using Component = GaussianMixture::Component;

double log_density(const Component& component, double value) {
  const double distance = value - component.mean;
  return std::log(component.weight) - 0.5 * (std::log(2 * std::numbers::pi * component.variance) +
                                             distance * distance / component.variance);
}

// Weighted maximum likelihood, `weights` being a component's responsibilities.
Component maximise(std::span<const double> values, std::span<const double> weights, double floor) {
  double sum = 0;
  double mean = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += weights[i];
    mean += weights[i] * values[i];
  }
  sum = std::max(sum, 1e-12);
  mean /= sum;
  double variance = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    variance += weights[i] * (values[i] - mean) * (values[i] - mean);
  return {sum / static_cast<double>(values.size()), mean, variance / sum + floor};
}

// Where weight·density of both components are equal: the roots of a quadratic in the loss.
std::vector<double> crossings(const Component& low, const Component& high) {
  const double a = 0.5 / low.variance - 0.5 / high.variance;
  const double b = high.mean / high.variance - low.mean / low.variance;
  const double c = low.mean * low.mean / (2 * low.variance) - high.mean * high.mean / (2 * high.variance) +
                   std::log(high.weight / low.weight) + 0.5 * std::log(low.variance / high.variance);
  if (std::abs(a) < 1e-12) {
    if (b == 0) return {};
    return {-c / b};
  }
  const double discriminant = b * b - 4 * a * c;
  if (discriminant < 0) return {};
  const double root = std::sqrt(discriminant);
  const double q = -0.5 * (b + (b < 0 ? -root : root));
  if (q == 0) return {0.0};
  return {q / a, c / q};
}

}  // namespace

std::optional<GaussianMixture> fit_gaussian_mixture(std::span<const double> scaled_losses,
                                                    const GaussianMixtureOptions& options) {
  const auto split = otsu_threshold(scaled_losses);
  if (!split) return std::nullopt;
  std::vector<double> is_high(scaled_losses.size());
  std::vector<double> is_low(scaled_losses.size());
  for (std::size_t i = 0; i < scaled_losses.size(); ++i) {
    is_high[i] = scaled_losses[i] >= *split ? 1 : 0;
    is_low[i] = 1 - is_high[i];
  }
  GaussianMixture mixture{maximise(scaled_losses, is_low, options.variance_floor),
                          maximise(scaled_losses, is_high, options.variance_floor)};
  double previous = -HUGE_VAL;
  for (int iteration = 0; iteration < options.iterations; ++iteration) {
    double likelihood = 0;
    for (std::size_t i = 0; i < scaled_losses.size(); ++i) {
      const double low = log_density(mixture.low, scaled_losses[i]);
      const double high = log_density(mixture.high, scaled_losses[i]);
      const double top = std::max(low, high);
      const double both = top + std::log(std::exp(low - top) + std::exp(high - top));
      likelihood += both;
      is_low[i] = std::exp(low - both);
      is_high[i] = std::exp(high - both);
    }
    likelihood /= static_cast<double>(scaled_losses.size());
    mixture.low = maximise(scaled_losses, is_low, options.variance_floor);
    mixture.high = maximise(scaled_losses, is_high, options.variance_floor);
    if (std::abs(likelihood - previous) < options.tolerance) break;
    previous = likelihood;
  }
  if (mixture.low.mean > mixture.high.mean) std::swap(mixture.low, mixture.high);
  return mixture;
}

double posterior_of_low(const GaussianMixture& mixture, double scaled_loss) {
  return 1 / (1 + std::exp(log_density(mixture.high, scaled_loss) - log_density(mixture.low, scaled_loss)));
}

std::optional<double> gaussian_mixture_threshold(std::span<const double> losses,
                                                 const GaussianMixtureOptions& options) {
  if (losses.empty()) return std::nullopt;
  const auto [smallest, largest] = std::minmax_element(losses.begin(), losses.end());
  const double origin = *smallest;
  const double range = *largest - origin;
  if (!(range > 0)) return std::nullopt;
  std::vector<double> scaled(losses.size());
  std::transform(losses.begin(), losses.end(), scaled.begin(),
                 [&](double loss) { return (loss - origin) / range; });
  const auto mixture = fit_gaussian_mixture(scaled, options);
  if (!mixture) return std::nullopt;
  const double from = mixture->low.mean;
  const double to = mixture->high.mean;
  double best = from + (to - from) / 2;
  double best_distance = HUGE_VAL;
  for (const double crossing : crossings(mixture->low, mixture->high)) {
    const double distance = std::max({from - crossing, crossing - to, 0.0});
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = crossing;
  }
  return origin + range * best;
}

}  // namespace procsim::train
