#pragma once

#include <cstddef>
#include <cstdint>

namespace procsim {

// The standard normal distribution's 97.5 % point: 95 % lie within ± this.
inline constexpr double kNormal975 = 1.959963984540054;
inline constexpr double kNormal95 = 1.6448536269514722;  // the 95 % point: 90 % lie within ± this

// part ÷ whole; 0 where there is nothing.
double share(std::int64_t part, std::int64_t whole);

struct Interval {
  double low = 0;
  double high = 1;
};

// Exact (Clopper–Pearson) interval for a share, `successes` seen in `trials`. [0, 1] when there were no
// trials.
Interval clopper_pearson(std::int64_t successes, std::int64_t trials, double confidence = 0.95);

// Wilson's score interval for a share, 95 %. [0, 1] when there were no trials.
Interval wilson_interval(std::size_t successes, std::size_t trials);

// How likely a count at least as far out as `successes` is when the share is `p`: twice the smaller tail of
// the binomial distribution, at most 1.
double binomial_p_value(std::int64_t successes, std::int64_t trials, double p);

}  // namespace procsim
