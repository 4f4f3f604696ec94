#pragma once

#include <string>
#include <string_view>

namespace procsim {

// Text as Unicode wants it compared: composed (NFC), so that "ü" is one letter however it was typed, without
// white space and byte-order marks at the ends. `text` must be UTF-8. Unicode's tables are those of utf8proc.
std::string normal_text(std::string_view text);

// Equal for names that a person would take for the same word: letter case, kind of letter (full-width,
// ligatures), and how words are parted (blanks, underscores, hyphens, full stops, several of them) do not
// count.
std::string look_of(std::string_view text);

}  // namespace procsim
