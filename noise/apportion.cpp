#include "noise/apportion.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace procsim::noise {

std::vector<std::int64_t> largest_remainder(std::span<const double> quotas) {
  const double sum = std::accumulate(quotas.begin(), quotas.end(), 0.0);
  return largest_remainder(quotas, std::llround(sum));
}

std::vector<std::int64_t> largest_remainder(std::span<const double> quotas, std::int64_t total) {
  std::vector<std::int64_t> counts(quotas.size());
  for (std::size_t i = 0; i < quotas.size(); ++i)
    counts[i] = static_cast<std::int64_t>(std::floor(quotas[i]));
  auto left = total - std::accumulate(counts.begin(), counts.end(), std::int64_t{0});

  std::vector<std::size_t> order(quotas.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto remainder = [&](std::size_t i) { return quotas[i] - std::floor(quotas[i]); };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return remainder(a) > remainder(b); });
  for (std::size_t i = 0; i < order.size() && left > 0; ++i, --left) ++counts[order[i]];
  return counts;
}

}  // namespace procsim::noise
