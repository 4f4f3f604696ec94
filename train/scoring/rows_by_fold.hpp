#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/noise_model/folds.hpp"
#include "train/models/torch.hpp"

namespace procsim::train {

// Samples in the order of their folds, so that a fold is a slice. With a table of rows for each fold, `judge`
// says whose table is meant; with one table it is the same for all.
struct RowsByFold {
  std::vector<std::int64_t> order;    // place → sample
  std::vector<std::int64_t> first;    // fold → its first place; one more at the end
  std::vector<std::int64_t> classes;  // place → class
  std::vector<torch::Tensor> rows;

  bool one_table() const { return rows.size() == 1; }
  torch::Tensor rows_of(int judge, int fold) const;
  std::span<const std::int64_t> classes_of(int fold) const;
  std::int64_t size_of(int fold) const;
};

// Takes the rows: a second copy of them would be the largest thing in memory. By id within a fold: sums come
// out the same whatever the order of the rows.
RowsByFold sort_by_fold(std::vector<torch::Tensor> rows, std::span<const std::int64_t> ids,
                        std::span<const std::int64_t> classes, const FoldPlan& plan);

// The rows in the order of the samples again.
std::vector<torch::Tensor> in_sample_order(RowsByFold sorted);

}  // namespace procsim::train
