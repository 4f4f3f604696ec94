#include "data/noise_model/class_scores.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace procsim {
namespace {

TEST(ClassScores, KeepNoMoreClassesThanThereAre) {
  EXPECT_EQ(ClassScores(2, 3, 48).width, 3);
  EXPECT_EQ(ClassScores(2, 100, 48).width, 48);
}

TEST(ClassScores, AreShortenedInEveryColumn) {
  ClassScores scores(3, 5, 2);
  scores.shorten(2);
  EXPECT_EQ(scores.size(), 2);
  EXPECT_EQ(scores.candidate.size(), 4U);
  EXPECT_EQ(scores.score.size(), 4U);
  EXPECT_EQ(scores.given_at.size(), 2U);
  EXPECT_EQ(scores.rest_count.size(), 2U);
  scores.shorten(9);
  EXPECT_EQ(scores.size(), 2) << "never longer";
}

TEST(ClassScores, ACopiedSampleIsTheSameInEveryColumn) {
  ClassScores from(2, 5, 2), to(3, 5, 2);
  from.candidate = {4, 1, 3, 0};
  from.score = {0.9F, 0.8F, 0.7F, 0.6F};
  from.given = {0.5F, 0.25F};
  from.given_at = {-1, 1};
  from.rest_mean = {0.1F, 0.2F};
  from.rest_variance = {0.01F, 0.02F};
  from.rest_count = {2, 3};
  to.copy(2, from, 1);
  EXPECT_TRUE(std::ranges::equal(to.candidates_of(2), from.candidates_of(1)));
  EXPECT_TRUE(std::ranges::equal(to.scores_of(2), from.scores_of(1)));
  EXPECT_EQ(to.given[2], 0.25F);
  EXPECT_EQ(to.given_at[2], 1);
  EXPECT_EQ(to.rest_mean[2], 0.2F);
  EXPECT_EQ(to.rest_variance[2], 0.02F);
  EXPECT_EQ(to.rest_count[2], 3);
  EXPECT_EQ(to.given[1], 0) << "others stay";
}

}  // namespace
}  // namespace procsim
