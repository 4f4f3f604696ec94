#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace procsim {

// ".jpg" of "a/B.JPG"; empty where there is none.
std::string lower_extension(const std::filesystem::path& path);

// The files *.parquet in a folder, hidden ones left out, in the order of their names' bytes: the parts of a
// label set. `path` itself when it is no folder.
std::vector<std::filesystem::path> parquet_parts(const std::filesystem::path& path);

}  // namespace procsim
