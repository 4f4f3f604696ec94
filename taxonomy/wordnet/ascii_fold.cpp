#include "taxonomy/wordnet/ascii_fold.hpp"

#include <array>
#include <cstdint>

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

struct CodePoint {
  std::uint32_t value = 0xFFFD;
  std::size_t bytes = 1;
};

CodePoint decode(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
  if (bytes == 0 || lead > 0xF4 || text.size() < bytes) return {};
  std::uint32_t value = lead & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0U) != 0x80) return {};
    value = value << 6 | (byte & 0x3FU);
  }
  return {value, bytes};
}

std::string_view likeness(std::uint32_t code) {
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
    const auto code = decode(text);
    if (code.value < 0x80) {
      folded += static_cast<char>(code.value);
    } else {
      folded += likeness(code.value);
    }
    text.remove_prefix(code.bytes);
  }
  return folded;
}

}  // namespace procsim::taxonomy
