#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace procsim::noise {

// Whole numbers that sum to the rounded sum of `quotas`, each the quota rounded down or up: what is left
// after rounding down goes to the largest remainders, ties to the first (Hamilton's method). Quotas must not
// be negative.
std::vector<std::int64_t> largest_remainder(std::span<const double> quotas);

// The same with the total given; it must lie between the sums of the quotas rounded down and rounded up.
std::vector<std::int64_t> largest_remainder(std::span<const double> quotas, std::int64_t total);

}  // namespace procsim::noise
