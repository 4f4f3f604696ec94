#include "curate/evidence/hierarchy.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/curate/scored_birds.hpp"

namespace procsim::curate {
namespace {

using test::scored;

TEST(Hierarchy, PutsErrorsWhereTheTwoLabelsPart) {
  // 100 Herring and 100 Western gulls, taken for one another; one gull taken for a tern, one sparrow for an
  // owl.
  std::vector<ScoreRow> rows;
  for (int i = 0; i < 200; ++i) rows.push_back(scored(i, i % 2, 1 - i % 2, 0.3));
  rows.push_back(scored(300, 0, 2, 0.5));
  rows.push_back(scored(301, 3, 5, 0.25));
  const ClassFamilies families(test::bird_taxonomy(), test::bird_classes());
  const auto errors = roll_up(test::bird_table(rows), families);
  EXPECT_EQ(families.name(errors.nodes[0].node), "gull");
  EXPECT_NEAR(errors.nodes[0].here, 60, 1e-4);
  EXPECT_EQ(errors.nodes[0].samples, 201U);
  const auto root = std::ranges::find(errors.nodes, 0, &NodeErrors::node);
  ASSERT_NE(root, errors.nodes.end());
  EXPECT_NEAR(root->here, 0.25, 1e-6);
  EXPECT_NEAR(root->wrong, 60.75, 1e-4);
  EXPECT_EQ(root->classes, 6U);
  const auto gulls = std::ranges::find_if(
      errors.siblings, [&](const auto& pair) { return families.name(pair.parent) == "gull"; });
  ASSERT_NE(gulls, errors.siblings.end());
  EXPECT_NEAR(gulls->rate(), 60.0 / 201, 1e-6);
  EXPECT_NEAR(gulls->balance(), 0.5, 1e-6);
  EXPECT_EQ(advice(*gulls), "merge, or define the border anew");
}

TEST(Hierarchy, CountsWhatPeopleFound) {
  std::vector<ScoreRow> rows;
  for (int i = 0; i < 100; ++i) rows.push_back(scored(i, 0, 1, 0.3));
  std::vector<double> wrong(100, 0.3);
  for (int i = 0; i < 50; ++i) wrong[static_cast<std::size_t>(i)] = i < 10 ? 1 : 0;
  const ClassFamilies families(test::bird_taxonomy(), test::bird_classes());
  const auto errors = roll_up(test::bird_table(rows), families, wrong);
  EXPECT_EQ(families.name(errors.nodes[0].node), "gull");
  EXPECT_NEAR(errors.nodes[0].here, 10 + 50 * 0.3, 1e-6);
}

TEST(Hierarchy, OneSidedConfusionPointsAtTheName) {
  std::vector<ScoreRow> rows;
  for (int i = 0; i < 100; ++i) rows.push_back(scored(i, 3, 4, 0.3));
  for (int i = 100; i < 200; ++i) rows.push_back(scored(i, 4, 3, 0.0));
  const ClassFamilies families(test::bird_taxonomy(), test::bird_classes());
  const auto errors = roll_up(test::bird_table(rows), families);
  ASSERT_FALSE(errors.siblings.empty());
  EXPECT_EQ(advice(errors.siblings[0]), "check how one of the names is used");
  EXPECT_EQ(advice({0, 1, 2, 100, 1, 1}), "");
}

}  // namespace
}  // namespace procsim::curate
