#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace procsim {

// Whether the bytes are UTF-8 (no overlong forms, no surrogates, nothing above U+10FFFF). Names and paths
// must be: they go into Parquet's string columns and into JSON.
bool is_utf8(std::string_view bytes);

// Whether the byte stands inside a letter, not at its beginning.
constexpr bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

// The letter at the beginning of `text`, which must not be empty. A byte that begins no UTF-8 is U+FFFD and
// one byte long.
struct Letter {
  char32_t code = 0xFFFD;
  std::size_t bytes = 1;
};
Letter first_letter(std::string_view text);

void append_utf8(std::string& text, char32_t code);

}  // namespace procsim
