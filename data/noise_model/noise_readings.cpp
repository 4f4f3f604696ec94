#include "data/noise_model/noise_readings.hpp"

#include <algorithm>
#include <cmath>

#include "data/measures/intervals.hpp"

namespace procsim {

WrongRate with_readings(WrongRate rate, double disagree, double samples, const ReadingOptions& options) {
  const auto rounded = [](double value) { return std::round(value * 1e6) / 1e6; };
  rate.readings = {rate.rate, rounded(std::max(rate.rate, disagree))};
  const double half = kNormal95 * std::sqrt(disagree * (1 - disagree) / samples);
  rate.high = rounded(std::min(1.0, std::max(rate.high, disagree + half)));
  rate.audit_decides = rate.readings->high - rate.readings->low >= options.far_apart;
  return rate;
}

}  // namespace procsim
