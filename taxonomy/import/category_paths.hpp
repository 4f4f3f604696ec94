#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "taxonomy/import/imported_tree.hpp"

namespace procsim::taxonomy {

// "Home > Kitchen > Pans" taken apart, blanks around the parts gone. Parts are parted by > (also ›, », →),
// else by | or /. One part where there is none of them.
std::vector<std::string> split_category_path(std::string_view path);

// The column of a table that holds paths: one that is called path, category, category_path, categories,
// breadcrumb, breadcrumbs or taxonomy, else the only one.
std::optional<std::size_t> path_column(const std::vector<std::string>& header);

// A tree of a table of category paths as shops have them, a path a row; a file without column names may hold
// nothing else. A node's id is its whole path, so that Accessories below Phones and below Bikes are two. A
// column class, label or name puts a class below its row's path. Throws Error with the line of an empty part.
ImportedTree read_category_paths(const std::filesystem::path& file);

}  // namespace procsim::taxonomy
