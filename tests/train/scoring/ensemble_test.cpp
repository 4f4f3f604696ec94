#include "train/scoring/ensemble.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace procsim::train {
namespace {

ClassPrediction prediction(std::vector<std::int32_t> classes, std::vector<double> probabilities,
                           double given) {
  ClassPrediction result;
  result.classes = std::move(classes);
  result.share = probabilities;
  result.belief = std::move(probabilities);
  result.given_share = result.given_belief = given;
  result.known = true;
  return result;
}

// √(0.6·0.3) = .42426, √(0.1·0.4) = .2, √(0.2·0.2) = .2, nothing else but 0.1 and 0.1: .1. Sum .92426.
TEST(PooledPredictions, AreTheGeometricMeanOfTheProbabilities) {
  const auto pool = pooled(prediction({2, 7}, {0.1, 0.2}, 0.6), prediction({2, 7}, {0.4, 0.2}, 0.3));
  EXPECT_EQ(pool.classes, (std::vector<std::int32_t>{2, 7}));
  EXPECT_NEAR(pool.given_belief, 0.459029, 1e-6);
  EXPECT_NEAR(pool.given_share, 0.459029, 1e-6);
  ASSERT_EQ(pool.belief.size(), 2U);
  EXPECT_NEAR(pool.belief[0], 0.216388, 1e-6);
  EXPECT_NEAR(pool.share[1], 0.216388, 1e-6);
}

// Of the same mind they change nothing; log-odds of two classes are averaged.
TEST(PooledPredictions, StayAsSureAsBothAre) {
  const auto same = pooled(prediction({1}, {0.02}, 0.98), prediction({1}, {0.02}, 0.98));
  EXPECT_NEAR(same.given_belief, 0.98, 1e-6);
  const auto apart = pooled(prediction({1}, {0.01}, 0.99), prediction({1}, {0.5}, 0.5));
  EXPECT_NEAR(std::log(apart.given_belief / apart.belief[0]), std::log(99) / 2, 1e-9);
}

TEST(PooledPredictions, AClassThatOneDoesNotNameIsUnlikelyButThere) {
  const auto pool = pooled(prediction({1, 3}, {0.3, 0.3}, 0.4), prediction({3, 5}, {0.3, 0.3}, 0.4));
  EXPECT_EQ(pool.classes, (std::vector<std::int32_t>{1, 3, 5}));
  EXPECT_NEAR(pool.belief[1], 0.3 / 0.7, 1e-3);
  EXPECT_GT(pool.belief[0], 0);
  EXPECT_LT(pool.belief[0], 0.001);
  EXPECT_DOUBLE_EQ(pool.belief[0], pool.belief[2]);
}

}  // namespace
}  // namespace procsim::train
