#pragma once

#include <string_view>

namespace procsim {

// As CMakeLists.txt has it: "0.1.0". Goes into the provenance of what we write.
std::string_view version();

}  // namespace procsim
