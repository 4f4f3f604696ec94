#include "train/metrics/neighbours.hpp"

#include <gtest/gtest.h>

#include "data/base/error.hpp"

namespace procsim::train {
namespace {

TEST(Neighbours, ContestedPlacesGoByIndex) {
  const auto similarities = torch::tensor({{0.5F, 0.9F, 0.5F, 0.5F, 0.1F, 0.5F}});
  const auto nearest = top_k_by_index(similarities, 3).indices;
  EXPECT_TRUE(torch::equal(nearest, torch::tensor({{1, 0, 2}}, torch::kInt64))) << nearest;
}

TEST(Neighbours, SayWhenThereAreTooFew) {
  const auto rows = torch::eye(3);
  EXPECT_THROW(nearest_neighbours(rows, rows, {.k = 3}), Error);
  EXPECT_EQ(nearest_neighbours(rows, rows, {.k = 2}).indices.size(1), 2);
}

}  // namespace
}  // namespace procsim::train
