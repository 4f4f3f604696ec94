#include "train/scoring/rows_by_fold.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace procsim::train {

torch::Tensor RowsByFold::rows_of(int judge, int fold) const {
  return rows[one_table() ? 0 : static_cast<std::size_t>(judge)].slice(
      0, first[static_cast<std::size_t>(fold)], first[static_cast<std::size_t>(fold) + 1]);
}

std::span<const std::int64_t> RowsByFold::classes_of(int fold) const {
  const auto start = first[static_cast<std::size_t>(fold)];
  return {classes.data() + start, static_cast<std::size_t>(size_of(fold))};
}

std::int64_t RowsByFold::size_of(int fold) const {
  return first[static_cast<std::size_t>(fold) + 1] - first[static_cast<std::size_t>(fold)];
}

RowsByFold sort_by_fold(std::vector<torch::Tensor> rows, std::span<const std::int64_t> ids,
                        std::span<const std::int64_t> classes, const FoldPlan& plan) {
  RowsByFold sorted;
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
  for (const auto sample : sorted.order) sorted.classes.push_back(classes[static_cast<std::size_t>(sample)]);
  const auto order = torch::tensor(sorted.order, torch::kInt64);
  for (auto& table : rows) table = table.index_select(0, order);
  sorted.rows = std::move(rows);
  return sorted;
}

std::vector<torch::Tensor> in_sample_order(RowsByFold sorted) {
  std::vector<std::int64_t> place(sorted.order.size());
  for (std::size_t i = 0; i < place.size(); ++i)
    place[static_cast<std::size_t>(sorted.order[i])] = static_cast<std::int64_t>(i);
  const auto places = torch::tensor(place, torch::kInt64);
  for (auto& table : sorted.rows) table = table.index_select(0, places);
  return std::move(sorted.rows);
}

}  // namespace procsim::train
