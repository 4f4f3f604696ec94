#include "data/base/suggest.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

#include "data/base/words.hpp"

namespace procsim {
namespace {

// Optimal string alignment: insertions, deletions, replacements, and swaps of neighbours cost 1 each.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_previous(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  std::iota(previous.begin(), previous.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower_case(a[i - 1]) == lower_case(b[j - 1]);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower_case(a[i - 1]) == lower_case(b[j - 2]) &&
                           lower_case(a[i - 2]) == lower_case(b[j - 1]);
      if (swapped) current[j] = std::min(current[j], before_previous[j - 2] + 1);
    }
    std::swap(before_previous, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

}  // namespace

std::string nearest_match(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t kLongestWorthComparing = 200;
  if (word.empty() || word.size() > kLongestWorthComparing) return {};
  const std::size_t allowed = std::max<std::size_t>(1, word.size() / 3);
  std::size_t best_distance = allowed + 1;
  const std::string* best = nullptr;
  for (const auto& candidate : candidates) {
    const auto gap =
        candidate.size() > word.size() ? candidate.size() - word.size() : word.size() - candidate.size();
    if (gap >= best_distance) continue;
    const auto distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = &candidate;
    }
  }
  return best != nullptr ? *best : std::string{};
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const auto match = nearest_match(word, candidates);
  return match.empty() ? std::string{} : "; did you mean '" + match + "'?";
}

}  // namespace procsim
