#include "curate/evidence/score_table.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/curate/scored_birds.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::curate {
namespace {

using test::bird_table;
using test::scored;
using ::testing::HasSubstr;

TEST(ScoreTable, GivesBackWhatItWasGiven) {
  auto first = scored(7, 0, 1, 0.9);
  first.near_given = {3, 7};
  first.near_suggested = {3};
  first.duplicates = {3};
  first.true_label = 1;
  first.fold = 4;
  const auto second = scored(3, 2, 5, 0.1);
  const auto table = bird_table({first, second});
  EXPECT_EQ(table.row(0), first);
  EXPECT_EQ(table.row(1), second);
  EXPECT_EQ(table.find(3), 1U);
  EXPECT_EQ(table.find(7), 0U);
  EXPECT_FALSE(table.find(4));
  EXPECT_EQ(table.true_label(0), 1);
  EXPECT_FALSE(table.true_label(1));
}

TEST(ScoreTable, RanksBySuspicionAndBreaksTiesById) {
  const auto table = bird_table({scored(9, 0, 1, 0.5), scored(2, 0, 1, 0.5), scored(4, 0, 1, 0.8)});
  EXPECT_EQ(table.ranking(), (std::vector<std::uint32_t>{2, 1, 0}));
}

TEST(ScoreTable, RefusesWhatCannotBeMeant) {
  EXPECT_THROW(bird_table({scored(1, 0, 6, 0.5)}), Error);
  EXPECT_THROW(bird_table({scored(1, -2, 1, 0.5)}), Error);
  EXPECT_THROW(bird_table({scored(1, 0, 1, 0.5), scored(1, 0, 1, 0.6)}), Error);
  auto row = scored(1, 0, 1, 0.5);
  row.p_mislabelled = 1.5F;
  EXPECT_THROW(bird_table({row}), Error);
  row = scored(1, 0, 1, 0.5);
  row.suspicion = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(bird_table({row}), Error);
}

TEST(ScoreTable, ComesFromAFileWhichItsErrorsName) {
  const test::TemporaryFolder folder;
  const auto rows = std::vector{scored(1, 0, 1, 0.5), scored(2, 0, 1, 0.25)};
  const auto table = read_scores(test::write_scores(folder / "s.parquet", rows));
  ASSERT_EQ(table.size(), 2U);
  EXPECT_EQ(table.row(1), rows[1]);
  const auto twice = test::write_scores(folder / "twice.parquet", {rows[0], rows[0]});
  EXPECT_THAT(test::error_of([&] { read_scores(twice); }), HasSubstr("twice.parquet: scores: sample 1"));
}

TEST(ScoreTable, NamesClasses) {
  const auto table = bird_table({});
  EXPECT_EQ(table.class_name(1), "Western Gull");
  EXPECT_EQ(table.class_name(kUnlabelled), "(no label)");
}

}  // namespace
}  // namespace procsim::curate
