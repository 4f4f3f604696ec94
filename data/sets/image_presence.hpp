#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

namespace procsim {

// Says whether the images of samples are there without reading them: a file below the root, or a row of a
// Parquet file that holds bytes or names such a file. A Parquet file is looked through once.
class ImagePresence {
 public:
  explicit ImagePresence(std::filesystem::path root) : root_(std::move(root)) {}

  // Throws Error when a Parquet file cannot be read.
  bool has(std::string_view sample_path);

 private:
  struct ParquetFile {
    std::int64_t rows = 0;
    std::map<std::int64_t, std::string> without_bytes;  // row → path of its file, empty when it has none
  };

  bool is_file_below(std::string_view path) const;
  ParquetFile look_through(const std::string& file, const std::string& column) const;

  std::filesystem::path root_;
  std::unordered_map<std::string, ParquetFile> parquet_files_;
};

}  // namespace procsim
