#include "data/measures/harmonic_mean.hpp"

#include <limits>

namespace procsim {

double harmonic_mean(std::span<const double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  for (const double value : values) {
    if (!(value > 0)) return 0;
    sum += 1 / value;
  }
  return static_cast<double>(values.size()) / sum;
}

}  // namespace procsim
