#include "data/base/letters.hpp"

#include "data/base/utf8.hpp"

namespace procsim {

std::size_t count_letters(std::string_view text) {
  std::size_t length = 0;
  for (const char c : text) length += is_continuation(c) ? 0 : 1;
  return length;
}

std::string shortened(std::string_view text, std::size_t most) {
  if (count_letters(text) <= most) return std::string(text);
  std::size_t bytes = 0;
  for (std::size_t kept = 0; bytes < text.size() && kept + 1 < most; ++kept) {
    do ++bytes;
    while (bytes < text.size() && is_continuation(text[bytes]));
  }
  return std::string(text.substr(0, bytes)) + "…";
}

std::string printable(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string line;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // C1 controls, which terminals obey too, are C2 80 … C2 9F in UTF-8.
    const bool is_c1 = byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (text[i] == '\n') {
      line += "\\n";
    } else if (text[i] == '\t') {
      line += "\\t";
    } else if (byte < 0x20 || byte == 0x7F || is_c1) {
      const auto code = is_c1 ? static_cast<unsigned char>(text[++i]) : byte;
      line += "\\x";
      line += kDigits[code >> 4];
      line += kDigits[code & 15];
    } else {
      line += text[i];
    }
  }
  return line;
}

}  // namespace procsim
