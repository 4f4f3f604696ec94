#include "train/language/unicode.hpp"

#include <algorithm>

#include "data/base/utf8.hpp"
#include "train/language/unicode_data.hpp"

namespace procsim::train::unicode {
namespace {

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
