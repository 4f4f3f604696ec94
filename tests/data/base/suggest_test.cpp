#include "data/base/suggest.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace procsim {
namespace {

const std::vector<std::string> kNames = {"cub200",     "cars196",      "sop",
                                         "fieldguide", "Song Sparrow", "Sage Sparrow"};

TEST(NearestMatch, FindsSlipsOfOneOrTwoLetters) {
  EXPECT_EQ(nearest_match("cub2000", kNames), "cub200");
  EXPECT_EQ(nearest_match("cusb200", kNames), "cub200");
  EXPECT_EQ(nearest_match("feildguide", kNames), "fieldguide");
  EXPECT_EQ(nearest_match("song sparow", kNames), "Song Sparrow");
}

TEST(NearestMatch, StaysSilentWhenNothingIsNear) {
  EXPECT_EQ(nearest_match("imagenet", kNames), "");
  EXPECT_EQ(nearest_match("", kNames), "");
  EXPECT_EQ(nearest_match(std::string(100'000, 'x'), kNames), "");
}

TEST(DidYouMean, EndsAnErrorMessage) {
  EXPECT_EQ(did_you_mean("sob", kNames), "; did you mean 'sop'?");
  EXPECT_EQ(did_you_mean("ship", kNames), "");
}

}  // namespace
}  // namespace procsim
