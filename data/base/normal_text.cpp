#include "data/base/normal_text.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include <utf8proc.h>

#include "data/base/unicode.hpp"

namespace procsim {
namespace {

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// What utf8proc makes of it; the text itself where it refuses.
std::string mapped(std::string_view text, int options) {
  utf8proc_uint8_t* out = nullptr;
  const auto length =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &out, static_cast<utf8proc_option_t>(options));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owned(out, &std::free);
  if (length < 0) return std::string(text);
  return {reinterpret_cast<const char*>(out), static_cast<std::size_t>(length)};
}

struct Letter {
  utf8proc_int32_t code = 0;
  std::size_t bytes = 1;
};

Letter letter_at(std::string_view text, std::size_t at) {
  Letter letter;
  const auto bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + at,
                                      static_cast<utf8proc_ssize_t>(text.size() - at), &letter.code);
  if (bytes > 0) letter.bytes = static_cast<std::size_t>(bytes);
  return letter;
}

// Also what ends lines, and two marks that nobody sees.
bool is_blank(utf8proc_int32_t code) {
  constexpr utf8proc_int32_t kZeroWidthSpace = 0x200B, kByteOrderMark = 0xFEFF;
  if ((code >= '\t' && code <= '\r') || code == kZeroWidthSpace || code == kByteOrderMark) return true;
  return unicode::is_space(static_cast<char32_t>(code));
}

bool parts_words(utf8proc_int32_t code) {
  const auto category = utf8proc_category(code);
  return is_blank(code) || code == '.' || category == UTF8PROC_CATEGORY_PD ||
         category == UTF8PROC_CATEGORY_PC;
}

}  // namespace

std::string normal_text(std::string_view text) {
  const auto composed = is_ascii(text) ? std::string(text) : mapped(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
  std::size_t first = composed.size(), last = 0;
  for (std::size_t at = 0; at < composed.size();) {
    const auto letter = letter_at(composed, at);
    if (!is_blank(letter.code)) {
      first = std::min(first, at);
      last = at + letter.bytes;
    }
    at += letter.bytes;
  }
  return first < last ? composed.substr(first, last - first) : std::string();
}

std::string look_of(std::string_view text) {
  // NFKC_Casefold of the Unicode Standard.
  const auto folded = mapped(
      text, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
  std::string look;
  bool parted = false;
  for (std::size_t at = 0; at < folded.size();) {
    const auto letter = letter_at(folded, at);
    if (parts_words(letter.code)) {
      parted = true;
    } else {
      if (parted && !look.empty()) look.push_back(' ');
      parted = false;
      look.append(folded, at, letter.bytes);
    }
    at += letter.bytes;
  }
  return look;
}

}  // namespace procsim
