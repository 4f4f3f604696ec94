#include "data/noise_model/outliers.hpp"

#include <algorithm>
#include <cmath>

namespace procsim {
namespace {

struct Normal {
  double mean = 0, deviation = 1;

  double log_density(double x) const {
    const double z = (x - mean) / deviation;
    return -z * z / 2 - std::log(deviation);
  }
};

struct Mixture {
  Normal near, far;
  double share = 0;  // of the far one

  // A sample nearer than most is no outlier, however wide the far distribution is.
  double far_probability(double x) const {
    x = std::max(x, near.mean);
    const double odds = std::log(share / (1 - share)) + far.log_density(x) - near.log_density(x);
    return 1 / (1 + std::exp(-odds));
  }
};

double middle_of(std::vector<double> values) {
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

Mixture first_guess(std::span<const double> values, const OutlierOptions& options) {
  Mixture mixture;
  mixture.near.mean = middle_of({values.begin(), values.end()});
  std::vector<double> apart;
  for (const double value : values) apart.push_back(std::abs(value - mixture.near.mean));
  constexpr double kOfNormal = 1.4826;  // a normal distribution's deviation over its median one
  mixture.near.deviation = std::max(kOfNormal * middle_of(apart), 1e-9);
  mixture.far = {mixture.near.mean + options.first_separation * mixture.near.deviation,
                 2 * mixture.near.deviation};
  mixture.share = options.usual_share;
  return mixture;
}

void improve(Mixture& mixture, std::span<const double> values) {
  double weight[2] = {0, 0}, sum[2] = {0, 0}, squares[2] = {0, 0};
  for (const double value : values) {
    const double far = mixture.far_probability(value);
    for (const int k : {0, 1}) {
      const double part = k == 1 ? far : 1 - far;
      weight[k] += part;
      sum[k] += part * value;
      squares[k] += part * value * value;
    }
  }
  const auto normal_of = [&](int k, double least) {
    const double mean = sum[k] / weight[k];
    return Normal{mean, std::max(std::sqrt(std::max(squares[k] / weight[k] - mean * mean, 0.0)), least)};
  };
  if (!(weight[1] > 1) || !(weight[0] > 1)) return;
  mixture.near = normal_of(0, 1e-9);
  mixture.far = normal_of(1, mixture.near.deviation / 2);
  mixture.share = std::clamp(weight[1] / static_cast<double>(values.size()), 1e-6, 0.5);
}

}  // namespace

std::vector<double> outlier_probabilities(std::span<const double> distances, const OutlierOptions& options) {
  std::vector<double> values;
  for (const double distance : distances) values.push_back(std::log(std::max(distance, 1e-12)));
  if (values.size() < 3) return std::vector<double>(values.size(), 0.0);
  const auto usual = first_guess(values, options);
  auto mixture = usual;
  for (std::int64_t round = 0; round < options.rounds; ++round) improve(mixture, values);
  const double apart =
      (mixture.far.mean - mixture.near.mean) / std::hypot(mixture.near.deviation, mixture.far.deviation);
  if (!(apart >= options.least_separation)) mixture = usual;
  std::vector<double> probabilities;
  for (const double value : values) probabilities.push_back(mixture.far_probability(value));
  return probabilities;
}

}  // namespace procsim
