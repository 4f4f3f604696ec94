#pragma once

#include <filesystem>

namespace procsim {

// A free name for what becomes `target` when it is complete: .<name>.<process>.<number>.tmp in its folder,
// where the process is its number and start (data/base/process.hpp).
std::filesystem::path temporary_beside(const std::filesystem::path& target);

// Whether `path` is such a name for `target`, of whichever process.
bool is_temporary_of(const std::filesystem::path& path, const std::filesystem::path& target);

// Removes the files and folders of such names that processes left behind which are gone.
void remove_leftovers(const std::filesystem::path& target);

}  // namespace procsim
