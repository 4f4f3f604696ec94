#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace procsim {

// ".jpg" of "a/B.JPG"; empty where there is none.
std::string lower_extension(const std::filesystem::path& path);

// A name of anything (a data set) as the name of a file without its extension: letters, digits, '-', '_' and
// dots inside stay. Names that had to be changed carry a piece of their digest, so that two never meet.
std::string file_stem_of(std::string_view name);

// Whether a file of a folder is a part of a table: *.parquet, and not hidden.
bool is_part_file(const std::filesystem::path& path);

// A name from anybody (a class, a split) as one component of a path that is neither hidden nor leads
// elsewhere. Slashes, control characters and a dot in front become '_', and what is longer than a file's name
// may be is cut; names that had to be changed carry a piece of their digest, so that two never meet.
std::string path_component(std::string_view name);

// The files *.parquet in a folder, hidden ones left out, in the order of their names' bytes: the parts of a
// label set, of scores, of any table. `path` itself when it is no folder.
std::vector<std::filesystem::path> parquet_parts(const std::filesystem::path& path);

// The same, but throws Error where there are none.
std::vector<std::filesystem::path> some_parquet_parts(const std::filesystem::path& path);

// SHA-256 of a table: of its file, or of the names and digests of its parts.
std::string parts_digest(const std::filesystem::path& path);

}  // namespace procsim
