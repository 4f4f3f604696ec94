#include "taxonomy/wordnet/ascii_fold.hpp"

#include <array>

#include "data/base/utf8.hpp"

namespace procsim::taxonomy {
namespace {

// Likenesses of U+00C0 … U+017F, in order; a dot stands for none.
constexpr std::array<std::string_view, 192> kLatin = {
    "A", "A", "A",  "A",  "A", "A", "AE", "C", "E", "E", "E", "E", "I", "I", "I",  "I",   // C0
    "D", "N", "O",  "O",  "O", "O", "O",  ".", "O", "U", "U", "U", "U", "Y", "Th", "ss",  // D0
    "a", "a", "a",  "a",  "a", "a", "ae", "c", "e", "e", "e", "e", "i", "i", "i",  "i",   // E0
    "d", "n", "o",  "o",  "o", "o", "o",  ".", "o", "u", "u", "u", "u", "y", "th", "y",   // F0
    "A", "a", "A",  "a",  "A", "a", "C",  "c", "C", "c", "C", "c", "C", "c", "D",  "d",   // 100
    "D", "d", "E",  "e",  "E", "e", "E",  "e", "E", "e", "E", "e", "G", "g", "G",  "g",   // 110
    "G", "g", "G",  "g",  "H", "h", "H",  "h", "I", "i", "I", "i", "I", "i", "I",  "i",   // 120
    "I", "i", "IJ", "ij", "J", "j", "K",  "k", "k", "L", "l", "L", "l", "L", "l",  "L",   // 130
    "l", "L", "l",  "N",  "n", "N", "n",  "N", "n", "n", "N", "n", "O", "o", "O",  "o",   // 140
    "O", "o", "OE", "oe", "R", "r", "R",  "r", "R", "r", "S", "s", "S", "s", "S",  "s",   // 150
    "S", "s", "T",  "t",  "T", "t", "T",  "t", "U", "u", "U", "u", "U", "u", "U",  "u",   // 160
    "U", "u", "U",  "u",  "W", "w", "Y",  "y", "Y", "Z", "z", "Z", "z", "Z", "z",  "s",   // 170
};

std::string_view likeness(char32_t code) {
  if (code >= 0xC0 && code < 0x180) {
    const auto letters = kLatin[code - 0xC0];
    return letters == "." ? std::string_view(" ") : letters;
  }
  if (code >= 0x300 && code < 0x370) return "";  // accents on their own, after the letter they stand on
  if (code == 0x2018 || code == 0x2019 || code == 0x2BC || code == 0xB4) return "'";
  if (code >= 0x2010 && code <= 0x2015) return "-";
  return " ";
}

}  // namespace

std::string fold_to_ascii(std::string_view text) {
  std::string folded;
  folded.reserve(text.size());
  while (!text.empty()) {
    const auto letter = first_letter(text);
    if (letter.code < 0x80) {
      folded += static_cast<char>(letter.code);
    } else {
      folded += likeness(letter.code);
    }
    text.remove_prefix(letter.bytes);
  }
  return folded;
}

}  // namespace procsim::taxonomy
