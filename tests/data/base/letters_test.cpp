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

TEST(Printable, ControlCharactersBecomeSpaces) { EXPECT_EQ(printable("a\nb\x1b[0m\x7f"), "a b [0m "); }

}  // namespace
}  // namespace procsim
