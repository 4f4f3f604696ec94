#pragma once

#include <string>
#include <string_view>

namespace procsim::taxonomy {

// UTF-8 text in ASCII letters: Latin letters lose their accents ("é" → "e", "ß" → "ss", "Ø" → "O"),
// typographic apostrophes and dashes become plain ones; what has no likeness becomes a space. Bytes that are
// not UTF-8 become spaces.
std::string fold_to_ascii(std::string_view text);

}  // namespace procsim::taxonomy
