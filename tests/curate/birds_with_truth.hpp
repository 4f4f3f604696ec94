#pragma once

#include "tests/curate/scored_birds.hpp"

namespace procsim::test {

inline curate::ClassFamilies families() { return {bird_taxonomy(), bird_classes()}; }

inline ScoreRow with_truth(ScoreRow row, std::int32_t truth) {
  row.true_label = truth;
  return row;
}

// Ranked: wrong sibling, right, wrong stranger, right, right; one without truth.
inline curate::ScoreTable small_table() {
  return bird_table({with_truth(scored(1, 0, 1, 0.9), 1), with_truth(scored(2, 0, 1, 0.8), 0),
                     with_truth(scored(3, 0, 4, 0.6), 3), with_truth(scored(4, 3, 4, 0.3), 3),
                     with_truth(scored(5, 5, 0, 0.1), 5), scored(6, 5, 0, 0.95)});
}

}  // namespace procsim::test
