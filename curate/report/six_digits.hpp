#pragma once

#include <cmath>

namespace procsim::curate {

// Six digits say all that a float knows, and keep the page small. 0 for what is no number.
inline double six_digits(double value) {
  if (!std::isfinite(value) || value == 0) return std::isfinite(value) ? value : 0;
  const double scale = std::pow(10, 5 - std::floor(std::log10(std::abs(value))));
  return std::isfinite(scale) && scale > 0 ? std::round(value * scale) / scale : value;
}

}  // namespace procsim::curate
