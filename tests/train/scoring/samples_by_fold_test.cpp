#include "train/scoring/samples_by_fold.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace procsim::train {
namespace {

TEST(SamplesByFold, AFoldIsInTheOrderOfIds) {
  const std::vector<std::int64_t> ids{40, 10, 30, 20};
  FoldPlan plan;
  plan.folds = 2;
  plan.fold = {0, 1, 0, 1};
  const auto sorted = sort_by_fold(ids, plan);
  EXPECT_TRUE(std::ranges::equal(sorted.of(0), std::vector<std::int64_t>{2, 0}));
  EXPECT_TRUE(std::ranges::equal(sorted.of(1), std::vector<std::int64_t>{1, 3}));
}

TEST(SamplesByFold, AFoldMayBeEmpty) {
  FoldPlan plan;
  plan.folds = 3;
  plan.fold = {2, 0};
  const auto sorted = sort_by_fold(std::vector<std::int64_t>{1, 2}, plan);
  EXPECT_EQ(sorted.of(0)[0], 1);
  EXPECT_TRUE(sorted.of(1).empty());
  EXPECT_EQ(sorted.of(2)[0], 0);
}

}  // namespace
}  // namespace procsim::train
