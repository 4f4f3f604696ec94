#include "curate/decisions/agreement.hpp"

#include <gtest/gtest.h>

namespace procsim::curate {
namespace {

// The proposals of Wikipedia's article on Cohen's kappa: 20 both yes, 5 A only, 10 B only, 15 both no → κ =
// 0.4.
TEST(CohensKappa, MatchesThePublishedExample) {
  std::map<std::int64_t, Votes> votes;
  const auto add = [&](int count, const char* a, const char* b) {
    for (int i = 0; i < count; ++i) votes[static_cast<std::int64_t>(votes.size())] = {{"A", a}, {"B", b}};
  };
  add(20, "yes", "yes");
  add(5, "yes", "no");
  add(10, "no", "yes");
  add(15, "no", "no");
  const auto result = agreement(votes);
  ASSERT_EQ(result.pairs.size(), 1U);
  EXPECT_EQ(result.pairs[0].both, 50U);
  EXPECT_DOUBLE_EQ(result.pairs[0].observed, 0.7);
  EXPECT_NEAR(result.pairs[0].kappa.value(), 0.4, 1e-12);
  EXPECT_EQ(result.disputed.size(), 15U);
}

// Fleiss (1971) as worked through in textbooks: 14 raters, 10 subjects, 5 categories → κ = 0.210 (P̄ = 0.378,
// P̄e = 0.213).
TEST(FleissKappa, MatchesThePublishedExample) {
  const int counts[10][5] = {{0, 0, 0, 0, 14}, {0, 2, 6, 4, 2}, {0, 0, 3, 5, 6}, {0, 3, 9, 2, 0},
                             {2, 2, 8, 1, 1},  {7, 7, 0, 0, 0}, {3, 2, 6, 3, 0}, {2, 5, 3, 2, 2},
                             {6, 5, 2, 1, 0},  {0, 2, 2, 3, 7}};
  std::map<std::int64_t, Votes> votes;
  for (int subject = 0; subject < 10; ++subject) {
    int rater = 0;
    for (int c = 0; c < 5; ++c)
      for (int i = 0; i < counts[subject][c]; ++i)
        votes[subject]["r" + std::to_string(rater++)] = std::to_string(c);
  }
  const auto result = agreement(votes);
  EXPECT_EQ(result.shared, 10U);
  EXPECT_NEAR(result.observed, 0.378, 5e-4);
  EXPECT_NEAR(result.fleiss.value(), 0.210, 5e-4);
}

TEST(Agreement, LeavesOutWhatOnlyOneReviewerSaw) {
  const auto result = agreement({{1, {{"A", "x"}}}, {2, {{"A", "x"}, {"B", "x"}}}, {3, {{"C", "y"}}}});
  EXPECT_EQ(result.shared, 1U);
  ASSERT_EQ(result.pairs.size(), 1U);
  EXPECT_EQ(result.pairs[0].second, "B");
  EXPECT_FALSE(result.fleiss) << "one category only: chance explains everything";
  EXPECT_TRUE(result.disputed.empty());
  EXPECT_EQ(agreement({}).shared, 0U);
}

}  // namespace
}  // namespace procsim::curate
