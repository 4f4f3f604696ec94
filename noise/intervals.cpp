#include "noise/intervals.hpp"

#include <algorithm>

#include <boost/math/special_functions/beta.hpp>

namespace procsim {

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
