#include "taxonomy/letters.hpp"

namespace procsim {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u; }

// Length of the well-formed sequence at the start of `text`, 0 when there is none (Unicode 15, table 3-7).
std::size_t sequence_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return 1;
  const std::size_t length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  if (length == 0 || text.size() < length) return 0;
  const auto second = static_cast<unsigned char>(text[1]);
  const unsigned lowest = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned highest = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (second < lowest || second > highest) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (!is_continuation(text[i])) return 0;
  }
  return length;
}

}  // namespace

bool well_formed_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto length = sequence_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

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
  std::string line(text);
  for (auto& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return line;
}

}  // namespace procsim
