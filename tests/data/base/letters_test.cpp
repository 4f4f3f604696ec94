#include "data/base/letters.hpp"

#include <gtest/gtest.h>

namespace procsim {
namespace {

TEST(Letters, AreCountedNotBytes) {
  EXPECT_EQ(count_letters(""), 0U);
  EXPECT_EQ(count_letters("Möwe"), 4U);
  EXPECT_EQ(count_letters("鴎と蟹"), 3U);
}

TEST(Shortened, KeepsWhatFitsAndCutsBetweenLetters) {
  EXPECT_EQ(shortened("Möwe", 4), "Möwe");
  EXPECT_EQ(shortened("Möwen", 4), "Möw…");
  EXPECT_EQ(shortened("öööö", 2), "ö…");
}

TEST(Printable, ControlCharactersAreShownAsEscapes) {
  EXPECT_EQ(printable("a\nb\tc\x1b[0m\x7f"), "a\\nb\\tc\\x1b[0m\\x7f");
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m"),
            "\\x9b31m");
  EXPECT_EQ(printable("Möwe 鴎"), "Möwe 鴎");
}

}  // namespace
}  // namespace procsim
