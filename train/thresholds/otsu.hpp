#pragma once

#include <optional>
#include <span>

namespace procsim::train {

// Otsu's threshold over a batch of losses (docs/paper-map.md, Alg. 1): the midpoint between two neighbouring
// sorted values that minimises the summed within-group variance, with at least two values on each side and
// never between equal values. Empty when there is no such split (fewer than four values, or all equal). O(n
// log n). The values must be finite.
std::optional<double> otsu_threshold(std::span<const double> losses);

}  // namespace procsim::train
