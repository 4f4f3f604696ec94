#include "data/measures/harmonic_mean.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace procsim {
namespace {

TEST(HarmonicMean, HasItsTextbookValues) {
  EXPECT_DOUBLE_EQ(harmonic_mean(std::vector<double>{1, 2, 4}), 12.0 / 7);
  EXPECT_DOUBLE_EQ(harmonic_mean(std::vector<double>{0.5}), 0.5);
  EXPECT_DOUBLE_EQ(harmonic_mean(std::vector<double>{60, 30}), 40);  // there at 60, back at 30
}

TEST(HarmonicMean, OfAFailureIsZeroAndOfNothingNoNumber) {
  EXPECT_EQ(harmonic_mean(std::vector<double>{0.9, 0}), 0);
  EXPECT_TRUE(std::isnan(harmonic_mean({})));
}

}  // namespace
}  // namespace procsim
