#include "data/noise_model/dominant_confusions.hpp"

#include <gtest/gtest.h>

namespace procsim {
namespace {

// Errors by true class · 4 + given class.
TEST(DominantConfusions, AreTheMostFrequentErrorsOfAClass) {
  const std::unordered_map<std::uint64_t, double> pairs{{0 * 4 + 1, 6}, {0 * 4 + 2, 10}, {0 * 4 + 3, 7},
                                                        {1 * 4 + 0, 4}, {2 * 4 + 3, 5},  {3 * 4 + 0, 5}};
  const std::vector<double> all{23, 4, 30, 10};
  const auto found = find_dominant_confusions(pairs, all, {5, 0.25});
  EXPECT_EQ(found[0], (ClassDistances::DominantConfusions{2, 3})) << "two at most, most errors first";
  EXPECT_EQ(found[1][0], ClassDistances::kNone) << "too few";
  EXPECT_EQ(found[2][0], ClassDistances::kNone) << "a small part of them";
  EXPECT_EQ(found[3], (ClassDistances::DominantConfusions{0, ClassDistances::kNone}));
}

}  // namespace
}  // namespace procsim
