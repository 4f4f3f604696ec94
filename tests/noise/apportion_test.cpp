#include "noise/apportion.hpp"

#include <numeric>

#include <gtest/gtest.h>

namespace procsim::noise {
namespace {

using Counts = std::vector<std::int64_t>;

TEST(LargestRemainder, GivesWhatIsLeftToTheLargestRemainders) {
  // Hamilton's own kind of example: 21.4, 12.3, 5.9, 0.4 of 40 seats.
  EXPECT_EQ(largest_remainder(std::vector<double>{21.4, 12.3, 5.9, 0.4}), (Counts{21, 12, 6, 1}));
}

TEST(LargestRemainder, BreaksTiesTowardsTheFirst) {
  EXPECT_EQ(largest_remainder(std::vector<double>{0.5, 0.5, 0.5, 0.5}), (Counts{1, 1, 0, 0}));
}

TEST(LargestRemainder, ManySmallClassesTogetherGetTheirShare) {
  // Other generators truncate 0.2 × 4 to 0 in each of 100 classes and flip nothing; 80 is right.
  const std::vector<double> quotas(100, 0.8);
  const auto counts = largest_remainder(quotas);
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}), 80);
  for (const auto count : counts) EXPECT_TRUE(count == 0 || count == 1);
}

TEST(LargestRemainder, IsNotFooledByFloatingPoint) {
  const std::vector<double> quotas(7, 0.29 * 100);  // 28.999999999999996
  EXPECT_EQ(largest_remainder(quotas), Counts(7, 29));
}

TEST(LargestRemainder, KeepsAGivenTotal) {
  EXPECT_EQ(largest_remainder(std::vector<double>{1.5, 1.5}, 4), (Counts{2, 2}));
  EXPECT_EQ(largest_remainder(std::vector<double>{1.5, 1.5}, 2), (Counts{1, 1}));
}

}  // namespace
}  // namespace procsim::noise
