#include "train/scoring/rows_by_fold.hpp"

#include <gtest/gtest.h>

namespace procsim::train {
namespace {

TEST(RowsByFold, AFoldIsASliceInTheOrderOfIds) {
  const std::vector<std::int64_t> ids{40, 10, 30, 20};
  const std::vector<std::int64_t> classes{4, 1, 3, 2};
  FoldPlan plan;
  plan.folds = 2;
  plan.fold = {0, 1, 0, 1};
  const auto rows = torch::tensor({{40.0F}, {10.0F}, {30.0F}, {20.0F}});
  const auto sorted = sort_by_fold({rows}, ids, classes, plan);
  EXPECT_EQ(sorted.size_of(0), 2);
  EXPECT_TRUE(torch::equal(sorted.rows_of(0, 0), torch::tensor({{30.0F}, {40.0F}})));
  EXPECT_TRUE(torch::equal(sorted.rows_of(1, 1), torch::tensor({{10.0F}, {20.0F}})));
  EXPECT_EQ(sorted.classes_of(0)[0], 3);
  EXPECT_EQ(sorted.classes_of(1)[1], 2);
  EXPECT_TRUE(torch::equal(in_sample_order(sorted).front(), rows));
}

TEST(RowsByFold, WithATableAFoldTheJudgesTableIsMeant) {
  FoldPlan plan;
  plan.folds = 2;
  plan.fold = {1, 0};
  const std::vector<std::int64_t> ids{1, 2};
  const auto sorted =
      sort_by_fold({torch::tensor({{1.0F}, {2.0F}}), torch::tensor({{10.0F}, {20.0F}})}, ids, ids, plan);
  EXPECT_FALSE(sorted.one_table());
  EXPECT_EQ(sorted.rows_of(0, 1).item<float>(), 1);
  EXPECT_EQ(sorted.rows_of(1, 1).item<float>(), 10);
}

}  // namespace
}  // namespace procsim::train
