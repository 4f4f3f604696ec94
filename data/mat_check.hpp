#pragma once

#include <filesystem>

namespace procsim {

// Checks a MATLAB file of version 5 to 7 before matio sees it: the header, that its data elements fill the
// file exactly, and the checksum of each compressed one. matio reads what is left of a shortened file and
// says nothing. Throws Error with the path.
void check_mat_file(const std::filesystem::path& path);

}  // namespace procsim
