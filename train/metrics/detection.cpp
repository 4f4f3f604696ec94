#include "train/metrics/detection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace procsim {
namespace {

double ratio(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

DetectionRanking rank_detection(std::span<const double> suspicion, std::span<const std::uint8_t> wrong) {
  std::vector<std::size_t> order(suspicion.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return suspicion[a] > suspicion[b]; });
  const auto errors =
      std::count_if(wrong.begin(), wrong.end(), [](std::uint8_t value) { return value != 0; });
  const auto right = static_cast<std::int64_t>(wrong.size()) - errors;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  DetectionRanking result{nan, nan, nan};
  if (errors == 0) return result;

  std::int64_t seen = 0;
  std::int64_t found = 0;
  double pairs_won = 0;  // pairs (wrong, right) in the right order
  double average_precision = 0;
  for (std::size_t from = 0; from < order.size();) {
    std::size_t to = from;
    std::int64_t here = 0;
    while (to < order.size() && suspicion[order[to]] == suspicion[order[from]])
      here += wrong[order[to++]] != 0;
    const auto group = static_cast<std::int64_t>(to - from);
    const std::int64_t right_before = seen - found;
    const std::int64_t right_here = group - here;
    pairs_won += static_cast<double>(here) * (static_cast<double>(right - right_before - right_here) +
                                              0.5 * static_cast<double>(right_here));
    seen += group;
    found += here;
    average_precision += ratio(here, errors) * ratio(found, seen);
    from = to;
  }
  if (right > 0) result.auroc = pairs_won / (static_cast<double>(errors) * static_cast<double>(right));
  result.average_precision = average_precision;
  const auto top =
      std::count_if(order.begin(), order.begin() + errors, [&](std::size_t i) { return wrong[i] != 0; });
  result.precision_at_errors = ratio(top, errors);
  return result;
}

void DetectionCounts::add(bool is_accused, bool is_wrong) {
  accused += is_accused;
  wrong += is_wrong;
  both += is_accused && is_wrong;
}

double DetectionCounts::precision() const { return ratio(both, accused); }
double DetectionCounts::recall() const { return ratio(both, wrong); }
double DetectionCounts::f1() const { return ratio(2 * both, accused + wrong); }

}  // namespace procsim
