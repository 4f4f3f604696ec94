#pragma once

#include <cstddef>
#include <string_view>

namespace procsim {

// How deep objects and lists are nested in JSON, brackets in strings aside; 0 where there are none. Asked
// before parsing: the parser's own callback looks at all earlier entries of a list again for each one.
std::size_t json_nesting(std::string_view text);

}  // namespace procsim
