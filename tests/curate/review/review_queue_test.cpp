#include "curate/review/review_queue.hpp"

#include <gtest/gtest.h>

#include "tests/curate/scored_birds.hpp"

namespace procsim::curate {
namespace {

using test::scored;

// Rows 0 and 2: gull taken for gull; rows 1 and 3: sparrow taken for sparrow.
class Queue : public ::testing::Test {
 protected:
  static bool any(std::uint32_t) { return true; }

  ScoreTable table_ = test::bird_table(
      {scored(0, 0, 1, 0.9), scored(1, 3, 4, 0.8), scored(2, 0, 1, 0.7), scored(3, 3, 4, 0.6)});
  ReviewQueue queue_{table_};
};

TEST_F(Queue, ServesTheMostSuspectFirst) {
  for (const std::uint32_t row : {0, 1, 2, 3}) {
    EXPECT_EQ(queue_.first(any), row);
    queue_.finish(row);
  }
  EXPECT_FALSE(queue_.first(any));
  EXPECT_EQ(queue_.left(), 0U);
}

TEST_F(Queue, PassesOverWhatIsNotWanted) {
  EXPECT_EQ(queue_.first([](std::uint32_t row) { return row > 1; }), 2U);
  EXPECT_FALSE(queue_.first([](std::uint32_t) { return false; }));
}

// A pair whose second row is almost surely right must not follow its first into the place of another pair.
TEST_F(Queue, ARowThatIsPassedOverDoesNotLiftTheRestOfItsPair) {
  const auto table = test::bird_table(
      {scored(0, 0, 1, 0.95), scored(1, 0, 1, 0.001), scored(2, 3, 4, 0.8), scored(3, 2, 5, 0.5)});
  ReviewQueue queue(table);
  const auto but = [](std::uint32_t left_out) { return [=](std::uint32_t row) { return row != left_out; }; };
  EXPECT_EQ(queue.first(but(0)), 2U);
  queue.finish(2);
  EXPECT_EQ(queue.first(but(0)), 3U);
  queue.finish(3);
  EXPECT_EQ(queue.first(but(0)), 1U) << "nothing better is left";
}

TEST_F(Queue, ServesOnePairAloneOnRequest) {
  const auto sparrows = pair_key(3, 4);
  EXPECT_EQ(queue_.first(any, sparrows), 1U);
  EXPECT_EQ(queue_.left(sparrows), 2U);
  queue_.finish(1);
  queue_.finish(1);  // once is enough
  EXPECT_EQ(queue_.first(any, sparrows), 3U);
  EXPECT_EQ(queue_.left(sparrows), 1U);
  EXPECT_EQ(queue_.left(), 3U);
  EXPECT_FALSE(queue_.first(any, pair_key(5, 0)));
  EXPECT_EQ(queue_.left(pair_key(5, 0)), 0U);
}

TEST_F(Queue, AReopenedRowComesBackToItsPlace) {
  queue_.finish(0);
  queue_.finish(2);
  queue_.reopen(0);
  EXPECT_EQ(queue_.first(any), 0U);
  EXPECT_EQ(queue_.left(), 3U);
}

TEST_F(Queue, FollowsWhatReviewersFound) {
  EXPECT_NEAR(queue_.probability(1), 0.8, 1e-6) << "nobody has said anything yet";
  std::vector<CalibrationCase> cases;
  for (int i = 0; i < 10; ++i) {
    cases.push_back({0.8, pair_key(0, 1), false});
    cases.push_back({0.8, pair_key(3, 4), true});
  }
  queue_.adapt(Calibration::fit(cases));
  EXPECT_EQ(queue_.first(any), 1U);
  EXPECT_GT(queue_.probability(3), queue_.probability(0));
  queue_.adapt({});
  EXPECT_EQ(queue_.first(any), 0U) << "an undo takes it back";
}

}  // namespace
}  // namespace procsim::curate
