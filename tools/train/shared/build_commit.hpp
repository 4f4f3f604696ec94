#pragma once

#include <string_view>

namespace procsim::tools {

// The commit that this program was built from, "30b1952"; empty where it was no checkout (cmake/Commit.cmake
// writes the source).
std::string_view build_commit();

}  // namespace procsim::tools
