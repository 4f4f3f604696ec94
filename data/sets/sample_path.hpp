#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace procsim {

// `Sample::path` taken apart: a file below the root, and for an image inside a Parquet file its row. Part of
// the label-set format ("data/train.parquet#row=17", with "&column=mask" when it is not the file's first
// image column).
struct SamplePath {
  std::string file;
  std::optional<std::int64_t> row;
  std::string column;  // empty: the file's first image column
};

SamplePath parse_sample_path(std::string_view path);
std::string embedded_sample_path(std::string_view file, std::int64_t row, std::string_view column);

// `path` below its root, with forward slashes and without "." and "..". Empty when it is absolute, leaves the
// root, is the root itself, or has a zero byte.
std::optional<std::string> path_below_root(std::string_view path);
// The same, but an absolute path that lies below `root`, which is one that absolute_folder gave, is accepted.
std::optional<std::string> path_below_root(std::string_view path, const std::filesystem::path& root);

// A folder's absolute path without "." and ".." and without a slash at its end.
std::filesystem::path absolute_folder(const std::filesystem::path& folder);

}  // namespace procsim
