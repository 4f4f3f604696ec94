#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace procsim {

// Which part of the samples each one is judged in: a sample's fold is left out of everything that the model
// which judges it learns from.
struct FoldPlan {
  int folds = 0;
  std::vector<std::int32_t> fold;       // a sample each
  std::int64_t lone_classes = 0;        // one sample: whoever judges it has never seen the class
  std::int64_t paired_classes = 0;      // two samples: each is judged by the other
  std::int64_t incomplete_classes = 0;  // fewer samples than folds, the two above included
};

// Deals the samples of every class to the folds in an order that depends on the seed and the samples' ids
// alone, not on row order. No two folds of a class differ by more than one sample, so a class of two samples
// or more is never left out as a whole. `classes` are 0 … class_count−1; 2 ≤ folds. Throws Error when there
// are fewer samples than folds.
FoldPlan deal_folds(std::span<const std::int64_t> ids, std::span<const std::int64_t> classes,
                    std::int64_t class_count, int folds, std::uint64_t seed);

}  // namespace procsim
