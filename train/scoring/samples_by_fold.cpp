#include "train/scoring/samples_by_fold.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace procsim::train {

std::span<const std::int64_t> SamplesByFold::of(int fold) const {
  const auto begin = first[static_cast<std::size_t>(fold)];
  const auto end = first[static_cast<std::size_t>(fold) + 1];
  return {order.data() + begin, static_cast<std::size_t>(end - begin)};
}

SamplesByFold sort_by_fold(std::span<const std::int64_t> ids, const FoldPlan& plan) {
  SamplesByFold sorted;
  sorted.order.resize(ids.size());
  std::iota(sorted.order.begin(), sorted.order.end(), std::int64_t{0});
  std::sort(sorted.order.begin(), sorted.order.end(), [&](std::int64_t a, std::int64_t b) {
    const auto left = static_cast<std::size_t>(a);
    const auto right = static_cast<std::size_t>(b);
    return std::pair(plan.fold[left], ids[left]) < std::pair(plan.fold[right], ids[right]);
  });
  sorted.first.assign(static_cast<std::size_t>(plan.folds) + 1, 0);
  for (const auto fold : plan.fold) ++sorted.first[static_cast<std::size_t>(fold) + 1];
  std::partial_sum(sorted.first.begin(), sorted.first.end(), sorted.first.begin());
  return sorted;
}

}  // namespace procsim::train
