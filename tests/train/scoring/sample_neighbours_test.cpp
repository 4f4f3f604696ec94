#include "train/scoring/sample_neighbours.hpp"

#include <gtest/gtest.h>

#include "train/models/torch.hpp"

namespace procsim::train {
namespace {

TEST(SampleNeighbours, DuplicatesAreFoundThroughAnySharedGroup) {
  const RowsAroundMean rows(torch::tensor({{1.0F, 0.0F}, {1.0F, 0.01F}, {0.0F, 1.0F}, {-2.0F, -1.01F}}));
  const std::vector<std::int32_t> sharing{7, 1, 2, 7, 3, 4, 5, 6};
  EXPECT_EQ(near_duplicates(rows, sharing, 2, 0.98F, 5)[0], (std::vector<std::int64_t>{1}));
  const std::vector<std::int32_t> apart{7, 1, 2, 8, 3, 4, 5, 6};
  EXPECT_TRUE(near_duplicates(rows, apart, 2, 0.98F, 5)[0].empty());
}

TEST(SampleNeighbours, RowsAreSeenFromTheirMeanAtUnitLength) {
  const RowsAroundMean rows(torch::tensor({{5.0F, 1.0F}, {8.0F, 5.0F}, {2.0F, -3.0F}}));
  EXPECT_TRUE(
      torch::allclose(rows.of({1, 0, 2}), torch::tensor({{0.6F, 0.8F}, {0.0F, 0.0F}, {-0.6F, -0.8F}})));
}

}  // namespace
}  // namespace procsim::train
