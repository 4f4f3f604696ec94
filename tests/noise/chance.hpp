#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>

namespace procsim::test {

// Every statistical test of this folder raises a false alarm less than once in a million runs. They draw from
// fixed seeds, so they pass or fail for good; the bound says how unlucky the choice of a seed would have to
// be.
inline constexpr double kFalseAlarm = 1e-6;

// Is a count within the central 1 − kFalseAlarm of Binomial(n, p)? `tests` are made at once (Bonferroni).
inline bool plausible_count(std::int64_t count, std::int64_t n, double p, double tests = 1) {
  if (p <= 0) return count == 0;
  if (p >= 1) return count == n;
  const boost::math::binomial distribution(static_cast<double>(n), p);
  const double tail = kFalseAlarm / tests / 2;
  const bool too_low = boost::math::cdf(distribution, static_cast<double>(count)) < tail;
  const bool too_high = count > 0 && boost::math::cdf(boost::math::complement(
                                         distribution, static_cast<double>(count - 1))) < tail;
  return !too_low && !too_high;
}

// Pearson's test of counts against probabilities that sum to 1. Expected counts must be 10 or more where a
// probability is positive; a count where it is 0 fails at once.
inline bool plausible_counts(const std::vector<std::int64_t>& counts,
                             const std::vector<double>& probabilities, double tests = 1) {
  double total = 0;
  for (const auto count : counts) total += static_cast<double>(count);
  double statistic = 0;
  int cells = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (probabilities[i] <= 0) {
      if (counts[i] != 0) return false;
      continue;
    }
    const double expected = total * probabilities[i];
    statistic +=
        (static_cast<double>(counts[i]) - expected) * (static_cast<double>(counts[i]) - expected) / expected;
    ++cells;
  }
  if (cells < 2) return true;
  const boost::math::chi_squared distribution(cells - 1);
  return boost::math::cdf(boost::math::complement(distribution, statistic)) >= kFalseAlarm / tests;
}

}  // namespace procsim::test
