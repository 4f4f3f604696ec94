#include "data/base/utf8.hpp"

namespace procsim {
namespace {

bool continues(std::string_view bytes, std::size_t at) {
  return at < bytes.size() && is_continuation(bytes[at]);
}

// Length of the sequence that starts at `at`, 0 when it is not one. The table is that of RFC 3629, section 4.
std::size_t sequence_length(std::string_view bytes, std::size_t at) {
  const auto lead = static_cast<unsigned char>(bytes[at]);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4 || !continues(bytes, at + 1)) return 0;
  if (lead < 0xE0) return 2;
  const auto second = static_cast<unsigned char>(bytes[at + 1]);
  if (lead < 0xF0) {
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F)) return 0;
    return continues(bytes, at + 2) ? 3 : 0;
  }
  if ((lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F)) return 0;
  return continues(bytes, at + 2) && continues(bytes, at + 3) ? 4 : 0;
}

}  // namespace

bool is_utf8(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const auto length = sequence_length(bytes, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

Letter first_letter(std::string_view text) {
  const auto length = sequence_length(text, 0);
  if (length == 0) return {};
  const auto lead = static_cast<unsigned char>(text[0]);
  char32_t code = length == 1 ? lead : lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i)
    code = (code << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
  return {code, length};
}

void append_utf8(std::string& text, char32_t code) {
  const auto byte = [&](char32_t bits) { text += static_cast<char>(bits); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0U | (code >> 6U));
    byte(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    byte(0xE0U | (code >> 12U));
    byte(0x80U | ((code >> 6U) & 0x3FU));
    byte(0x80U | (code & 0x3FU));
  } else {
    byte(0xF0U | (code >> 18U));
    byte(0x80U | ((code >> 12U) & 0x3FU));
    byte(0x80U | ((code >> 6U) & 0x3FU));
    byte(0x80U | (code & 0x3FU));
  }
}

}  // namespace procsim
