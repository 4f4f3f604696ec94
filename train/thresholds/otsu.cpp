#include "train/thresholds/otsu.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

namespace procsim::train {

std::optional<double> otsu_threshold(std::span<const double> losses) {
  const std::size_t count = losses.size();
  if (count < 4) return std::nullopt;
  std::vector<double> sorted(losses.begin(), losses.end());
  std::sort(sorted.begin(), sorted.end());
  // Prefix sums around the mean: large losses that differ little would cancel otherwise.
  const double mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(count);
  double total = 0;
  double total_squares = 0;
  for (const double value : sorted) {
    total += value - mean;
    total_squares += (value - mean) * (value - mean);
  }
  std::optional<double> best;
  double best_cost = std::numeric_limits<double>::infinity();
  double low = 0;
  double low_squares = 0;
  for (std::size_t below = 1; below + 2 <= count; ++below) {
    const double last = sorted[below - 1] - mean;
    low += last;
    low_squares += last * last;
    if (below < 2 || sorted[below - 1] == sorted[below]) continue;
    const double high = total - low;
    const auto above = static_cast<double>(count - below);
    // |C|·Var C = Σx² − (Σx)²/|C|, for both sides
    const double cost = (low_squares - low * low / static_cast<double>(below)) +
                        (total_squares - low_squares - high * high / above);
    if (cost < best_cost) {
      best_cost = cost;
      best = sorted[below - 1] + (sorted[below] - sorted[below - 1]) / 2;
    }
  }
  return best;
}

}  // namespace procsim::train
