#include "data/sets/image_presence.hpp"

#include "data/sets/parquet_images.hpp"
#include "data/sets/sample_path.hpp"

namespace procsim {

bool ImagePresence::is_file_below(std::string_view path) const {
  const auto below = path_below_root(path);
  std::error_code ignored;
  return below && std::filesystem::is_regular_file(root_ / *below, ignored);
}

ImagePresence::ParquetFile ImagePresence::look_through(const std::string& file,
                                                       const std::string& column) const {
  if (!is_file_below(file)) return {};
  const ParquetImageFile images(root_ / file);
  return {images.rows(), images.rows_without_bytes(column)};
}

bool ImagePresence::has(std::string_view sample_path) {
  const auto parsed = parse_sample_path(sample_path);
  if (!parsed.row) {  // not is_file_below: what lies outside the root is there too, and reading says what is
                      // wrong
    std::error_code ignored;
    return std::filesystem::is_regular_file(root_ / parsed.file, ignored);
  }
  const auto key = parsed.file + "&" + parsed.column;
  auto known = parquet_files_.find(key);
  if (known == parquet_files_.end()) {
    known = parquet_files_.emplace(key, look_through(parsed.file, parsed.column)).first;
  }
  if (*parsed.row >= known->second.rows) return false;
  const auto outside = known->second.without_bytes.find(*parsed.row);
  return outside == known->second.without_bytes.end() || is_file_below(outside->second);
}

}  // namespace procsim
