#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tests/train/clusters.hpp"
#include "train/scoring/label_scores.hpp"

namespace procsim::train {
namespace {

// Beyond 2,048 samples near-duplicates are sought among those that share a probable class.
TEST(LabelScores, NearDuplicatesAreFoundInLargeSetsToo) {
  Clusters clusters(20, 120, 1.0, 0.1, 4, 16);
  clusters.embeddings[1].copy_(clusters.embeddings[0]);
  ASSERT_NE(clusters.data.train[0].label, clusters.data.train[1].label);
  LabelScoreOptions options;
  options.rounds = 1;
  const auto rows = clusters.score(options).rows;
  EXPECT_EQ(rows[0].duplicates, (std::vector<std::int64_t>{Clusters::kFirstId + 1}));
}

// Beyond 2,048 samples too, where lists are gathered group by group.
TEST(LabelScores, WhatAllSamplesShareIsNoLikeness) {
  Clusters clusters(4, 600, 1.0, 0.1, 1, 16);
  clusters.embeddings += 60;
  LabelScoreOptions options;
  options.rounds = 1;
  for (const auto& row : clusters.score(options).rows) EXPECT_TRUE(row.duplicates.empty());
}

TEST(LabelScores, RivalsLeaveOutTheGivenClassAndBeginWithTheSuggestedOne) {
  const auto scores = Clusters(8, 20, 1.5, 0.2).score();
  for (const auto& row : scores.rows) {
    ASSERT_EQ(row.rivals.size(), 5U);
    EXPECT_EQ(row.rivals.front().label, row.suggested);
    double sum = row.p_given;
    for (const auto& rival : row.rivals) {
      EXPECT_NE(rival.label, row.label);
      sum += rival.probability;
    }
    EXPECT_LE(sum, 1.0001);
    EXPECT_NEAR(row.suspicion, std::log(row.p_mislabelled / (1 - row.p_mislabelled)),
                0.02 * std::abs(row.suspicion) + 0.01);
  }
}

TEST(LabelScores, NeighboursCarryTheirLabelAndAreNeverTheSampleItself) {
  const Clusters clusters(5, 12, 1.0, 0.2);
  for (const auto& row : clusters.score().rows) {
    EXPECT_EQ(row.near_given.size(), 5U);
    for (const auto id : row.near_given) {
      EXPECT_EQ(clusters.data.train[static_cast<std::size_t>(id - Clusters::kFirstId)].label, row.label);
      EXPECT_NE(id, row.sample_id);
    }
    for (const auto id : row.near_suggested)
      EXPECT_EQ(clusters.data.train[static_cast<std::size_t>(id - Clusters::kFirstId)].label, row.suggested);
  }
}

TEST(LabelScores, NearDuplicatesAreListedUnderAnyLabel) {
  Clusters clusters(4, 10, 1.0, 0);
  clusters.embeddings[1].copy_(clusters.embeddings[0]);  // classes 0 and 1
  const auto rows = clusters.score().rows;
  EXPECT_EQ(rows[0].duplicates, (std::vector<std::int64_t>{Clusters::kFirstId + 1}));
  EXPECT_EQ(rows[1].duplicates, (std::vector<std::int64_t>{Clusters::kFirstId}));
  EXPECT_TRUE(rows[2].duplicates.empty());
  clusters.embeddings[7].copy_(clusters.embeddings[3]);  // both of class 3
  EXPECT_EQ(clusters.score().rows[7].duplicates, (std::vector<std::int64_t>{Clusters::kFirstId + 3}));
}

}  // namespace
}  // namespace procsim::train
