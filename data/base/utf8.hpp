#pragma once

#include <string_view>

namespace procsim {

// Whether the bytes are UTF-8 (no overlong forms, no surrogates, nothing above U+10FFFF). Names and paths
// must be: they go into Parquet's string columns and into JSON.
bool is_utf8(std::string_view bytes);

}  // namespace procsim
