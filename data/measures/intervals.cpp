#include "data/measures/intervals.hpp"

#include <algorithm>
#include <cmath>

#include <boost/math/special_functions/beta.hpp>

namespace procsim {

double share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

Interval clopper_pearson(std::int64_t successes, std::int64_t trials, double confidence) {
  Interval interval;
  if (trials == 0) return interval;
  const double tail = (1 - confidence) / 2;
  const auto k = static_cast<double>(successes);
  const auto n = static_cast<double>(trials);
  if (successes > 0) interval.low = boost::math::ibeta_inv(k, n - k + 1, tail);
  if (successes < trials) interval.high = boost::math::ibeta_inv(k + 1, n - k, 1 - tail);
  return interval;
}

Interval wilson_interval(std::size_t successes, std::size_t trials) {
  if (trials == 0) return {0, 1};
  const auto n = static_cast<double>(trials);
  const double share = static_cast<double>(successes) / n, z2 = kNormal975 * kNormal975;
  const double centre = (share + z2 / (2 * n)) / (1 + z2 / n);
  const double half = kNormal975 / (1 + z2 / n) * std::sqrt(share * (1 - share) / n + z2 / (4 * n * n));
  return {std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

double binomial_p_value(std::int64_t successes, std::int64_t trials, double p) {
  if (trials == 0) return 1;
  if (p <= 0) return successes == 0 ? 1 : 0;
  if (p >= 1) return successes == trials ? 1 : 0;
  const auto k = static_cast<double>(successes);
  const auto n = static_cast<double>(trials);
  const double at_most = successes == trials ? 1 : boost::math::ibetac(k + 1, n - k, p);
  const double at_least = successes == 0 ? 1 : boost::math::ibeta(k, n - k + 1, p);
  return std::min(1.0, 2 * std::min(at_most, at_least));
}

}  // namespace procsim
