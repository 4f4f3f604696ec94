#include "data/base/words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace procsim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Words, LowerCaseLeavesLettersOutsideAsciiAlone) {
  EXPECT_EQ(lower_case("Fox SPARROW Möwe Ä @[`{"), "fox sparrow möwe Ä @[`{");
  EXPECT_EQ(lower_case('Z'), 'z');
}

TEST(Words, TrimmedTakesOffBlanksAndLineEnds) {
  EXPECT_EQ(trimmed("\t a b\r\n"), "a b");
  EXPECT_EQ(trimmed(" \r\n\t"), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(Words, SplitWordsLeavesNoEmptyPieces) {
  EXPECT_THAT(split_words("  fox\t sparrow "), ElementsAre("fox", "sparrow"));
  EXPECT_THAT(split_words("_red_-fox_", "_-"), ElementsAre("red", "fox"));
  EXPECT_THAT(split_words(" \t"), IsEmpty());
}

TEST(Words, SplitLinesKeepsEmptyLinesAndTakesBothEnds) {
  EXPECT_THAT(split_lines("a\r\n\nb\n"), ElementsAre("a", "", "b"));
  EXPECT_THAT(split_lines("a\n\n"), ElementsAre("a", ""));
  EXPECT_THAT(split_lines("no end"), ElementsAre("no end"));
  EXPECT_THAT(split_lines(""), IsEmpty());
}

TEST(Words, FirstLineOfAMessage) {
  EXPECT_EQ(first_line("what happened\nwhere\n"), "what happened");
  EXPECT_EQ(first_line("what happened"), "what happened");
}

TEST(Words, FirstFewCountsTheRest) {
  const std::vector<std::string> names{"a", "b", "c", "d"};
  EXPECT_EQ(first_few(names, 4), "a, b, c, d");
  EXPECT_EQ(first_few(names, 3), "a, b, c and 1 more");
  EXPECT_EQ(first_few({}, 3), "");
}

TEST(Words, PlacesCountFromOne) {
  const std::string_view text = "ab\ncd\n";
  EXPECT_EQ(place_in_text(text, 0), "line 1, column 1");
  EXPECT_EQ(place_in_text(text, 1), "line 1, column 2");
  EXPECT_EQ(place_in_text(text, 3), "line 2, column 1");
  EXPECT_EQ(place_in_text(text, 4), "line 2, column 2");
  EXPECT_EQ(place_in_text(text, 99), "line 3, column 1") << "past the end: where the text ends";
}

}  // namespace
}  // namespace procsim
