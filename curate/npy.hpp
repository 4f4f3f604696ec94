#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <vector>

namespace procsim {

// A matrix in NumPy's file format (versions 1 to 3), read row by row. Little-endian float32 or float64, C
// order.
class NpyMatrix {
 public:
  // Throws Error saying what the file holds instead.
  explicit NpyMatrix(const std::filesystem::path& file);

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  // The next row into `row` (resized). False at the end. Throws Error when the file is cut short.
  bool next(std::vector<double>& row);

 private:
  std::filesystem::path file_;
  std::ifstream stream_;
  std::int64_t rows_ = 0, columns_ = 0, read_ = 0;
  bool wide_ = false;  // float64
  std::vector<char> bytes_;
};

}  // namespace procsim
