#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/noise_model/folds.hpp"

namespace procsim::train {

// The samples of each fold, by id: sums come out the same whatever the order of the rows.
struct SamplesByFold {
  std::vector<std::int64_t> order;  // samples
  std::vector<std::int64_t> first;  // fold → where it begins in `order`; one more at the end

  std::span<const std::int64_t> of(int fold) const;
};

SamplesByFold sort_by_fold(std::span<const std::int64_t> ids, const FoldPlan& plan);

}  // namespace procsim::train
