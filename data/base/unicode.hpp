#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace procsim::unicode {

// Unicode's tables are those of utf8proc.

// Letters of UTF-8 text; bytes that are none become U+FFFD, one for each.
std::u32string decode(std::string_view text);
std::string encode(std::u32string_view letters);

bool is_control(char32_t letter);      // categories Cc, Cf, Co
bool is_space(char32_t letter);        // categories Z*
bool is_punctuation(char32_t letter);  // categories P*
bool is_accent(char32_t letter);       // category Mn

// The canonical decomposition of every letter, without accents: "É" gives "E".
std::u32string without_accents(std::u32string_view letters);
// Letter by letter, without regard to the place in the word ("Σ" is always "σ").
std::u32string small_letters(std::u32string_view letters);

}  // namespace procsim::unicode
