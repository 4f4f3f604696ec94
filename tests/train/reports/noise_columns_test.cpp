#include "train/reports/noise_columns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace procsim::train {
namespace {

using ::testing::ElementsAre;

// By hand: uniform is the mean of 0.2 and 0.4, 0.3; with 0.6 that is 2/(1/0.3 + 1/0.6) = 0.4.
TEST(NoiseColumns, SeedsOfANoiseAreOneColumn) {
  const std::vector<NoiseResult> results{
      {"birds", "ms", "uniform 0.5", 0.2},  {"birds", "ms", "semantic 0.5", 0.6},
      {"birds", "ms", "uniform 0.5", 0.4},  {"cars", "ms", "uniform 0.5", 0.9},
      {"birds", "mcl", "uniform 0.5", 0.9}, {"birds", "mcl", "uniform 0.5", 0.8}};
  const auto means = compare_methods(results);
  ASSERT_EQ(means.size(), 1U) << "one column is nothing to average over";
  EXPECT_EQ(means[0].dataset, "birds");
  EXPECT_EQ(means[0].method, "ms");
  EXPECT_THAT(means[0].noises, ElementsAre("semantic 0.5", "uniform 0.5"));
  EXPECT_NEAR(means[0].value, 0.4, 1e-12);
}

TEST(NoiseColumns, ASummaryLosesItsSeedAlone) {
  EXPECT_EQ(noise_without_seed("semantic 0.15 + uniform 0.05 seed 7 exact"),
            "semantic 0.15 + uniform 0.05 exact");
  EXPECT_EQ(noise_without_seed("semantic 0.2 seed 12"), "semantic 0.2");
  EXPECT_EQ(noise_without_seed("as published"), "as published");
}

}  // namespace
}  // namespace procsim::train
