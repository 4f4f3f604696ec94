#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace procsim {

// A one-dimensional array of integers from an .npy file (format 1.0 to 3.0, either byte order). Pickled
// objects are refused, never run: Error with the line of Python that saves the numbers instead.
std::vector<std::int64_t> read_numpy_integers(const std::filesystem::path& path);

}  // namespace procsim
