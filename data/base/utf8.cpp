#include "data/base/utf8.hpp"

#include <cstddef>

namespace procsim {
namespace {

bool is_continuation(std::string_view bytes, std::size_t at) {
  return at < bytes.size() && (static_cast<unsigned char>(bytes[at]) & 0xC0) == 0x80;
}

// Length of the sequence that starts at `at`, 0 when it is not one. The table is that of RFC 3629, section 4.
std::size_t sequence_length(std::string_view bytes, std::size_t at) {
  const auto lead = static_cast<unsigned char>(bytes[at]);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4 || !is_continuation(bytes, at + 1)) return 0;
  if (lead < 0xE0) return 2;
  const auto second = static_cast<unsigned char>(bytes[at + 1]);
  if (lead < 0xF0) {
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F)) return 0;
    return is_continuation(bytes, at + 2) ? 3 : 0;
  }
  if ((lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F)) return 0;
  return is_continuation(bytes, at + 2) && is_continuation(bytes, at + 3) ? 4 : 0;
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

}  // namespace procsim
