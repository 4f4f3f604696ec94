#include "curate/report/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/curate/report/bird_report.hpp"

namespace procsim::curate {
namespace {

using test::bird_table;
using test::report_of;
using test::scored;

TEST(Report, CardsComeRankedAndNoMoreThanWanted) {
  const auto table = bird_table({scored(2, 2, 3, 0.2), scored(1, 0, 1, 0.9)});
  const auto report = report_of(table);
  ASSERT_EQ(report.cards.size(), 2U);
  EXPECT_EQ(report.cards[0].id, 1);
  EXPECT_EQ(report_of(table, 1).cards.size(), 1U);
  EXPECT_FALSE(report.thumbnails);
  EXPECT_FALSE(report.server);
}

TEST(Report, NamesClassesAndTheNodesAboveThem) {
  const auto report = report_of(bird_table({scored(1, 0, 1, 0.9)}));
  EXPECT_EQ(report.class_name(5), "Snowy Owl");
  EXPECT_EQ(report.class_name(kUnlabelled), "");
  ASSERT_FALSE(report.tree.empty());
  EXPECT_EQ(report.tree[0].id, "bird.n.01");
  EXPECT_EQ(report.tree[0].parent, taxonomy::ClassTree::kNone);
  const auto owl = std::ranges::find(report.tree, 5, &Report::Node::label);
  ASSERT_NE(owl, report.tree.end());
  EXPECT_EQ(owl->name, "Snowy Owl");
  EXPECT_EQ(owl->parent, 0);
  const auto table = bird_table({});
  EXPECT_TRUE(make_report(table, {}, {}, {}, {}, 1).tree.empty()) << "without a taxonomy";
}

}  // namespace
}  // namespace procsim::curate
