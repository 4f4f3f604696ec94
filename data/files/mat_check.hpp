#pragma once

#include <filesystem>

namespace procsim {

// Checks a MATLAB file of version 5 to 7 before matio sees it: the header, that data elements fill the file
// and each other exactly, checksums of compressed ones, and that arrays hold as many values as their
// dimensions say. matio takes what is left of a shortened file for the whole, and runs on and on in some
// damaged ones. Throws Error with the path.
void check_mat_file(const std::filesystem::path& path);

}  // namespace procsim
