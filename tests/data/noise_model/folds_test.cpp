#include "data/noise_model/folds.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "tests/support/errors.hpp"

namespace procsim {
namespace {

struct Labelled {
  std::vector<std::int64_t> ids, classes;

  Labelled(std::int64_t class_count, std::int64_t per_class) {
    for (std::int64_t i = 0; i < class_count * per_class; ++i) {
      ids.push_back(10 * i + 3);
      classes.push_back(i % class_count);
    }
  }
};

TEST(Folds, EveryClassIsSpreadEvenlyOverTheFolds) {
  const Labelled set(7, 13);
  const auto plan = deal_folds(set.ids, set.classes, 7, 5, 1);
  for (std::int64_t c = 0; c < 7; ++c) {
    std::vector<int> sizes(5, 0);
    for (std::size_t i = 0; i < set.ids.size(); ++i)
      if (set.classes[i] == c) ++sizes[static_cast<std::size_t>(plan.fold[i])];
    const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
    EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), 0), 13);
    EXPECT_LE(*most - *least, 1) << "class " << c;
  }
}

TEST(Folds, DoNotDependOnTheOrderOfTheRows) {
  const Labelled set(4, 9);
  const auto plan = deal_folds(set.ids, set.classes, 4, 3, 5);
  auto ids = set.ids;
  auto classes = set.classes;
  std::reverse(ids.begin(), ids.end());
  std::reverse(classes.begin(), classes.end());
  auto reversed = deal_folds(ids, classes, 4, 3, 5).fold;
  std::reverse(reversed.begin(), reversed.end());
  EXPECT_EQ(reversed, plan.fold);
}

TEST(Folds, AnotherSeedDealsOtherwise) {
  const Labelled set(4, 9);
  EXPECT_NE(deal_folds(set.ids, set.classes, 4, 3, 1).fold, deal_folds(set.ids, set.classes, 4, 3, 2).fold);
}

TEST(Folds, SmallClassesAreCountedAndNeverLeftOutAsAWhole) {
  const std::vector<std::int64_t> ids{1, 2, 3, 4, 5, 6, 7, 8, 9};
  const std::vector<std::int64_t> classes{0, 1, 1, 2, 2, 2, 2, 2, 2};
  const auto plan = deal_folds(ids, classes, 3, 5, 1);
  EXPECT_EQ(plan.lone_classes, 1);
  EXPECT_EQ(plan.paired_classes, 1);
  EXPECT_EQ(plan.incomplete_classes, 2);
  EXPECT_NE(plan.fold[1], plan.fold[2]);
}

TEST(Folds, SmallClassesDoNotAllFallIntoTheFirstFold) {
  std::vector<std::int64_t> ids(60);
  std::iota(ids.begin(), ids.end(), 0);
  const auto plan = deal_folds(ids, ids, 60, 5, 1);
  EXPECT_EQ(std::set<std::int32_t>(plan.fold.begin(), plan.fold.end()).size(), 5U);
}

TEST(Folds, FewerSamplesThanFoldsIsAnError) {
  const std::vector<std::int64_t> few{1, 2, 3};
  EXPECT_THROW(deal_folds(few, few, 4, 5, 1), Error);
  EXPECT_THROW(deal_folds(few, few, 4, 1, 1), UsageError);
}

}  // namespace
}  // namespace procsim
