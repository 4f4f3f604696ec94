#include "noise/order_statistics.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace procsim::noise {
namespace {

// Eight standard deviations of an order statistic of uniform draws: a miss once in 10^15 passes.
constexpr double kDeviations = 8;

}  // namespace

void OrderStatistics::Window::place() {
  const double n = static_cast<double>(size);
  const double centre = (static_cast<double>(count) + 0.5) / (n + 1);
  const auto clamp = [](double share) {
    return static_cast<std::uint64_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(kRankRange));
  };
  low = clamp(centre - half_width);
  high = clamp(centre + half_width);
  below = 0;
  inside.clear();
}

void OrderStatistics::Window::look() {
  const auto wanted = count - below;
  if (wanted < 0 || wanted >= static_cast<std::int64_t>(inside.size())) {
    half_width *= 8;
    return;
  }
  std::nth_element(inside.begin(), inside.begin() + wanted, inside.end());
  cutoff = inside[static_cast<std::size_t>(wanted)];  // the first sample that is not below
  found = true;
  inside = {};
}

OrderStatistics::OrderStatistics(std::span<const Group> groups) {
  for (const auto& group : groups) {
    first_.push_back(windows_.size());
    for (const auto count : group.counts) {
      assert(count >= 0 && count <= group.size);
      Window window;
      window.count = count;
      window.size = group.size;
      if (count == 0 || count == group.size) {
        window.found = true;
        window.cutoff = count == 0 ? kBeforeAll : kAfterAll;
      } else {
        const double n = static_cast<double>(group.size);
        const double share = static_cast<double>(count) / n;
        window.half_width = kDeviations * std::sqrt(share * (1 - share) / n) + kDeviations / n;
        window.place();
      }
      windows_.push_back(std::move(window));
    }
  }
  first_.push_back(windows_.size());
}

void OrderStatistics::add(std::size_t group, const Rank& rank) {
  for (auto i = first_[group]; i < first_[group + 1]; ++i) {
    auto& window = windows_[i];
    if (window.found || rank.draw >= window.high) continue;
    if (rank.draw < window.low) {
      ++window.below;
    } else {
      window.inside.push_back(rank);
    }
  }
}

bool OrderStatistics::finish_pass() {
  bool all = true;
  for (auto& window : windows_) {
    if (!window.found) window.look();
    if (window.found) continue;
    all = false;
    window.place();
  }
  return all;
}

std::vector<Rank> OrderStatistics::cutoffs(std::size_t group) const {
  std::vector<Rank> result;
  for (auto i = first_[group]; i < first_[group + 1]; ++i) {
    assert(windows_[i].found);
    result.push_back(windows_[i].cutoff);
  }
  return result;
}

}  // namespace procsim::noise
