#include "data/base/utf8.hpp"

#include <gtest/gtest.h>

namespace procsim {
namespace {

// The examples of RFC 3629, section 7, and the ends of each length.
struct Example {
  char32_t code;
  std::string bytes;
};
const Example kExamples[] = {
    {0x0, std::string(1, '\0')},
    {0x41, "A"},
    {0x7F, "\x7F"},
    {0x80, "\xC2\x80"},
    {0x391, "\xCE\x91"},
    {0x7FF, "\xDF\xBF"},
    {0x800, "\xE0\xA0\x80"},
    {0x2262, "\xE2\x89\xA2"},
    {0xD55C, "\xED\x95\x9C"},
    {0xFFFD, "\xEF\xBF\xBD"},
    {0x10000, "\xF0\x90\x80\x80"},
    {0x233B4, "\xF0\xA3\x8E\xB4"},
    {0x10FFFF, "\xF4\x8F\xBF\xBF"},
};

TEST(Utf8, LettersAreWrittenAndReadAsTheRfcSays) {
  for (const auto& [code, bytes] : kExamples) {
    std::string text;
    append_utf8(text, code);
    EXPECT_EQ(text, bytes) << std::hex << std::uint32_t{code};
    const auto letter = first_letter(bytes + "x");
    EXPECT_EQ(std::uint32_t{letter.code}, std::uint32_t{code});
    EXPECT_EQ(letter.bytes, bytes.size());
    EXPECT_TRUE(is_utf8(bytes));
  }
}

TEST(Utf8, WhatIsNoLetterIsOneByteOfTheReplacement) {
  for (const std::string bytes : {"\x80", "\xC3", "\xC0\x80", "\xE2\x82", "\xED\xA0\x80", "\xE0\x80\x80",
                                  "\xF4\x90\x80\x80", "\xF0\x80\x80\x80", "\xFF", "\xC3("}) {
    const auto letter = first_letter(bytes);
    EXPECT_EQ(std::uint32_t{letter.code}, 0xFFFDU);
    EXPECT_EQ(letter.bytes, 1U);
    EXPECT_FALSE(is_utf8(bytes));
  }
}

TEST(Utf8, OnlyTheBytesAfterTheFirstStandInsideALetter) {
  EXPECT_FALSE(is_continuation('a'));
  EXPECT_FALSE(is_continuation('\xC3'));
  EXPECT_TRUE(is_continuation('\xA4'));
}

}  // namespace
}  // namespace procsim
