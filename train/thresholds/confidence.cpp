#include "train/thresholds/confidence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include <boost/math/special_functions/lambert_w.hpp>

#include "data/base/error.hpp"
#include "data/base/suggest.hpp"
#include "train/thresholds/gaussian_mixture.hpp"
#include "train/thresholds/otsu.hpp"

namespace procsim::train {
namespace {

// exp(−W(x)). W overflows nowhere, but for x = ∞ (λ → 0) it is infinite and σ is 0.
double exp_minus_lambert(double x) {
  if (std::isinf(x)) return 0;
  return std::exp(-boost::math::lambert_w0(x));
}

// The formula has −2, where W ends: half of it rounds to a number that W does not have. Published code stops
// here, at σ = 2.717067.
constexpr double kLeastExcess = -1.9999998;

const std::array<std::string, 3> kThresholdNames{"otsu", "gmm", "mean"};

}  // namespace

double procsim_confidence(double loss, double threshold, double lambda) {
  const double excess = loss - threshold;
  if (!(excess > 0)) return 1;
  return exp_minus_lambert(excess / (2 * lambda));
}

double superloss_confidence(double loss, double threshold, double lambda) {
  return exp_minus_lambert(0.5 * std::max(kLeastExcess / std::numbers::e, (loss - threshold) / lambda));
}

std::string_view to_string(ThresholdKind kind) { return kThresholdNames[static_cast<std::size_t>(kind)]; }

ThresholdKind threshold_from_string(std::string_view text) {
  const auto found = std::find(kThresholdNames.begin(), kThresholdNames.end(), text);
  if (found == kThresholdNames.end())
    throw UsageError("unknown threshold '" + std::string(text) + "' (otsu, gmm, mean)" +
                     did_you_mean(text, kThresholdNames));
  return static_cast<ThresholdKind>(found - kThresholdNames.begin());
}

void GlobalMean::add(std::span<const double> losses) {
  for (const double loss : losses) sum += loss;
  count += static_cast<std::int64_t>(losses.size());
}

std::optional<double> GlobalMean::value() const {
  if (count == 0) return std::nullopt;
  return sum / static_cast<double>(count);
}

void RunningAverage::add(double value) { state = state ? *state + rate_ * (value - *state) : value; }

BatchConfidence ConfidenceRule::operator()(std::span<const double> losses) {
  BatchConfidence result;
  switch (kind_) {
    case ThresholdKind::kOtsu:
      result.threshold = otsu_threshold(losses);
      break;
    case ThresholdKind::kGaussianMixture:
      result.threshold = gaussian_mixture_threshold(losses);
      break;
    case ThresholdKind::kMean:
      mean_.add(losses);
      result.threshold = mean_.value();
      break;
  }
  result.sigma.assign(losses.size(), 1.0);
  result.above.assign(losses.size(), 0);
  if (!result.threshold) return result;
  std::transform(losses.begin(), losses.end(), result.above.begin(),
                 [&](double loss) { return static_cast<std::uint8_t>(loss > *result.threshold); });
  std::transform(losses.begin(), losses.end(), result.sigma.begin(),
                 [&](double loss) { return procsim_confidence(loss, *result.threshold, lambda_); });
  return result;
}

}  // namespace procsim::train
