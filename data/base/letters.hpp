#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace procsim {

// How many code points; `text` must be UTF-8.
std::size_t count_letters(std::string_view text);

// The first `most` code points, with … in place of the last where something was cut.
std::string shortened(std::string_view text, std::size_t most);

// One line for a terminal, which control characters would command: they are shown as \n, \x1b.
std::string printable(std::string_view text);

}  // namespace procsim
