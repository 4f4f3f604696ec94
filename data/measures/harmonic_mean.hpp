#pragma once

#include <span>

namespace procsim {

// n / Σ 1/xᵢ: a figure over several conditions (the paper's last column) that one bad condition pulls down
// more than a good one lifts. 0 where a value is 0 or below; NaN of nothing.
double harmonic_mean(std::span<const double> values);

}  // namespace procsim
