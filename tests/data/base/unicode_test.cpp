#include "data/base/unicode.hpp"

#include <gtest/gtest.h>

namespace procsim::unicode {
namespace {

TEST(Unicode, TextSurvivesDecodingAndEncoding) {
  const std::string text = "aé中🦆";
  EXPECT_EQ(decode(text), U"aé中🦆");
  EXPECT_EQ(encode(decode(text)), text);
}

TEST(Unicode, BytesThatAreNoLettersBecomeReplacements) {
  EXPECT_EQ(decode("a\xff\xfeg"), U"a\xFFFD\xFFFDg");
  EXPECT_EQ(decode("\xe4\xb8"), U"\xFFFD\xFFFD") << "cut off";
}

// Categories of Python's unicodedata.
TEST(Unicode, LettersHaveTheirCategories) {
  EXPECT_TRUE(is_control(U'\x01'));
  EXPECT_TRUE(is_control(U'\x200d'));  // zero width joiner, Cf
  EXPECT_FALSE(is_control(U'a'));
  EXPECT_TRUE(is_space(U'\x3000'));  // ideographic space, Zs
  EXPECT_FALSE(is_space(U'_'));
  EXPECT_TRUE(is_punctuation(U'¿'));   // Po
  EXPECT_TRUE(is_punctuation(U'「'));  // Ps
  EXPECT_FALSE(is_punctuation(U'x'));
  EXPECT_TRUE(is_accent(U'\x0301'));
  EXPECT_FALSE(is_accent(U'e'));
}

TEST(Unicode, AccentsGoAndLettersBecomeSmall) {
  EXPECT_EQ(without_accents(U"ÉçÅñ한"), std::u32string(U"EcAn") + U"\x1112\x1161\x11ab");
  EXPECT_EQ(small_letters(U"ÀΣŽ中"), U"àσž中");
}

}  // namespace
}  // namespace procsim::unicode
