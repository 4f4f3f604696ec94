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
  std::string line(text);
  for (auto& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return line;
}

}  // namespace procsim
