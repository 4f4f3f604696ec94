#include "data/noise_model/class_scores.hpp"

#include <algorithm>
#include <cmath>

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

// Of ten classes five are listed, three kept: the rest are two listed ones, less the given class, and those
// that are only known by their sums.
TEST(ClassScores, KeepTheBestOfThoseListedAndTheSumsOfAllOthers) {
  ClassScores scores(1, 10, 3);
  const std::vector<std::int32_t> listed{1, 2, 5, 8, 9};
  std::vector<std::int32_t> room(5);
  const OtherScores others{4, 0.5, 0.25};  // a class without samples is not among them
  scores.keep(0, listed, std::vector<float>{0.25F, 0.75F, 0.25F, 0.5F, 0.125F}, 9, others, room);
  EXPECT_TRUE(std::ranges::equal(scores.candidates_of(0), std::vector<std::int32_t>{2, 8, 1}));
  EXPECT_TRUE(std::ranges::equal(scores.scores_of(0), std::vector<float>{0.75F, 0.5F, 0.25F}));
  EXPECT_EQ(scores.given[0], 0.125F);
  EXPECT_EQ(scores.given_at[0], -1);
  EXPECT_EQ(scores.rest_count[0], 5);
  EXPECT_FLOAT_EQ(scores.rest_mean[0], 0.15F);
  EXPECT_FLOAT_EQ(scores.rest_variance[0], (0.25F + 0.0625F) / 5 - 0.15F * 0.15F);
}

TEST(ClassScores, ALabelOfAClassWithoutSamplesHasNoScore) {
  ClassScores scores(1, 3, 2);
  std::vector<std::int32_t> room(3);
  scores.keep(0, std::vector<std::int32_t>{0, 1, 2}, std::vector<float>{0.5F, 0.25F, kUnsupported}, 2, {},
              room);
  EXPECT_TRUE(std::isnan(scores.given[0]));
  EXPECT_EQ(scores.rest_count[0], 0);
}

}  // namespace
}  // namespace procsim
