#include "train/language/unicode.hpp"

#include <algorithm>

#include "train/language/unicode_data.hpp"

namespace procsim::train::unicode {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

// Hangul syllables are decomposed by arithmetic (The Unicode Standard, 3.12).
constexpr char32_t kHangulFirst = 0xAC00, kHangulLast = 0xD7A3;
constexpr char32_t kLead = 0x1100, kVowel = 0x1161, kTail = 0x11A7;
constexpr char32_t kVowels = 21, kTails = 28;

Kind kind(char32_t letter) {
  const auto found =
      std::upper_bound(kKinds.begin(), kKinds.end(), letter,
                       [](char32_t code, const KindRange& range) { return code < range.first; });
  if (found == kKinds.begin()) return Kind::kOther;
  const auto& range = *(found - 1);
  return letter <= range.last ? range.kind : Kind::kOther;
}

// The letter that begins at `at` and its length in bytes; length 0 where the bytes are no UTF-8.
std::pair<char32_t, std::size_t> letter_at(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + length > text.size()) return {kReplacement, 0};
  char32_t letter = first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[at + i]);
    if ((next & 0xC0U) != 0x80) return {kReplacement, 0};
    letter = (letter << 6U) | (next & 0x3FU);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = letter >= 0xD800 && letter <= 0xDFFF;
  if (letter < least[length] || letter > 0x10FFFF || surrogate) return {kReplacement, 0};
  return {letter, length};
}

void decompose_hangul(std::u32string& out, char32_t letter) {
  const char32_t index = letter - kHangulFirst;
  out.push_back(kLead + index / (kVowels * kTails));
  out.push_back(kVowel + index % (kVowels * kTails) / kTails);
  if (const char32_t tail = index % kTails; tail != 0) out.push_back(kTail + tail);
}

}  // namespace

std::u32string decode(std::string_view text) {
  std::u32string letters;
  letters.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto [letter, length] = letter_at(text, at);
    letters += letter;
    at += std::max<std::size_t>(1, length);
  }
  return letters;
}

void append_utf8(std::string& text, char32_t letter) {
  const auto byte = [&](char32_t bits) { text += static_cast<char>(bits); };
  if (letter < 0x80) {
    byte(letter);
  } else if (letter < 0x800) {
    byte(0xC0U | (letter >> 6U));
    byte(0x80U | (letter & 0x3FU));
  } else if (letter < 0x10000) {
    byte(0xE0U | (letter >> 12U));
    byte(0x80U | ((letter >> 6U) & 0x3FU));
    byte(0x80U | (letter & 0x3FU));
  } else {
    byte(0xF0U | (letter >> 18U));
    byte(0x80U | ((letter >> 12U) & 0x3FU));
    byte(0x80U | ((letter >> 6U) & 0x3FU));
    byte(0x80U | (letter & 0x3FU));
  }
}

std::string encode(std::u32string_view letters) {
  std::string text;
  for (const auto letter : letters) append_utf8(text, letter);
  return text;
}

bool is_control(char32_t letter) { return kind(letter) == Kind::kControl; }
bool is_space(char32_t letter) { return kind(letter) == Kind::kSpace; }
bool is_punctuation(char32_t letter) { return kind(letter) == Kind::kPunctuation; }
bool is_accent(char32_t letter) { return kind(letter) == Kind::kAccent; }

std::u32string without_accents(std::u32string_view letters) {
  std::u32string out;
  for (const auto letter : letters) {
    if (letter < 0x80) {
      out += letter;
      continue;
    }
    if (letter >= kHangulFirst && letter <= kHangulLast) {
      decompose_hangul(out, letter);
      continue;
    }
    if (is_accent(letter)) continue;
    const auto found =
        std::lower_bound(kDecompositions.begin(), kDecompositions.end(), letter,
                         [](const Decomposition& entry, char32_t code) { return entry.code < code; });
    if (found == kDecompositions.end() || found->code != letter) {
      out += letter;
      continue;
    }
    for (const auto part : found->letters)
      if (part != 0) out.push_back(part);
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
    const auto found =
        std::lower_bound(kSmallLetters.begin(), kSmallLetters.end(), letter,
                         [](const SmallLetter& entry, char32_t code) { return entry.capital < code; });
    out += found != kSmallLetters.end() && found->capital == letter ? found->small : letter;
  }
  return out;
}

}  // namespace procsim::train::unicode
