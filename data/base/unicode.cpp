#include "data/base/unicode.hpp"

#include <array>

#include <utf8proc.h>

#include "data/base/utf8.hpp"

namespace procsim::unicode {
namespace {

utf8proc_category_t category(char32_t letter) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(letter));
}

}  // namespace

std::u32string decode(std::string_view text) {
  std::u32string letters;
  letters.reserve(text.size());
  while (!text.empty()) {
    const auto letter = first_letter(text);
    letters += letter.code;
    text.remove_prefix(letter.bytes);
  }
  return letters;
}

std::string encode(std::u32string_view letters) {
  std::string text;
  for (const auto letter : letters) append_utf8(text, letter);
  return text;
}

bool is_control(char32_t letter) {
  const auto found = category(letter);
  return found == UTF8PROC_CATEGORY_CC || found == UTF8PROC_CATEGORY_CF || found == UTF8PROC_CATEGORY_CO;
}

bool is_space(char32_t letter) {
  const auto found = category(letter);
  return found == UTF8PROC_CATEGORY_ZS || found == UTF8PROC_CATEGORY_ZL || found == UTF8PROC_CATEGORY_ZP;
}

bool is_punctuation(char32_t letter) {
  const auto found = category(letter);
  return found >= UTF8PROC_CATEGORY_PC && found <= UTF8PROC_CATEGORY_PO;
}

bool is_accent(char32_t letter) { return category(letter) == UTF8PROC_CATEGORY_MN; }

std::u32string without_accents(std::u32string_view letters) {
  std::u32string out;
  for (const auto letter : letters) {
    std::array<utf8proc_int32_t, 8> parts{};  // no canonical decomposition has more than four
    int boundary_class = 0;
    const auto count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(letter), parts.data(),
                                               parts.size(), UTF8PROC_DECOMPOSE, &boundary_class);
    for (utf8proc_ssize_t i = 0; i < count; ++i) {
      const auto part = static_cast<char32_t>(parts.at(static_cast<std::size_t>(i)));
      if (!is_accent(part)) out += part;
    }
  }
  return out;
}

std::u32string small_letters(std::u32string_view letters) {
  std::u32string out;
  for (const auto letter : letters) {
    if (letter == 0x130) {  // İ: an i and a dot above it
      out += U"i\u0307";
      continue;
    }
    out += static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(letter)));
  }
  return out;
}

}  // namespace procsim::unicode
