#pragma once

// Images that lie inside a Parquet file: a struct with `bytes` and `path` as Hugging Face writes it, or a
// column of bytes. Included by sources of data/ only.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "data/files/parquet_io.hpp"

namespace procsim {

// The leaf columns, as Parquet's readers count them, of one image column.
struct ImageColumn {
  int field = 0;  // among the top-level columns
  std::string name;
  int bytes_leaf = 0;
  int path_leaf = -1;  // −1: there is none
};

// Column `field` as an image column; empty when it is none.
std::optional<ImageColumn> image_column(const ParquetInput& input, int field);
// The first image column of a file.
std::optional<ImageColumn> first_image_column(const ParquetInput& input);

// Whether the statistics say that no row of this column has bytes: the images are files, named by `path`.
bool has_no_bytes(const ParquetInput& input, const ImageColumn& column);

// An open file whose single rows are read without the rest of their row group: the file is mapped, pages in
// front of the row are skipped unread. Safe to use from several threads.
class ParquetImageFile {
 public:
  explicit ParquetImageFile(const std::filesystem::path& path);

  struct Image {
    std::optional<std::string> bytes;
    std::string path;  // when there are no bytes
  };
  // `column` empty: the first image column. Throws Error when there is no such row or column.
  Image read(std::int64_t row, std::string_view column) const;

  std::int64_t rows() const { return input_.rows(); }
  // The rows that hold no bytes, each with the path it has instead, or an empty one. Bytes are passed over a
  // page at a time, and not even looked at where the file's statistics say that all are there.
  std::map<std::int64_t, std::string> rows_without_bytes(std::string_view column) const;

 private:
  using Visit = std::function<void(std::int64_t row, std::optional<std::string_view> value)>;

  ImageColumn column_named(std::string_view name) const;
  std::optional<std::string> read_leaf(int leaf, std::int64_t row) const;
  void each_value(int group, int leaf, const Visit& visit) const;

  ParquetInput input_;
};

}  // namespace procsim
