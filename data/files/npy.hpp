#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace procsim {

// An array in NumPy's file format (.npy, versions 1 to 3), opened at its first value. Throws Error for
// anything else; a pickle is refused with the way to save numbers instead, since it is code.
class NpyFile {
 public:
  explicit NpyFile(const std::filesystem::path& file);

  const std::filesystem::path& path() const { return path_; }
  const std::string& type() const { return type_; }  // as NumPy writes it: "<f4", "|u1"
  const std::vector<std::int64_t>& shape() const { return shape_; }
  bool is_fortran_order() const { return is_fortran_order_; }
  // Bytes of a value.
  std::size_t width() const { return width_; }

  // The next `count` values as they stand in the file. False where fewer are left.
  bool read(std::size_t count, std::vector<char>& bytes);

 private:
  std::filesystem::path path_;
  std::ifstream stream_;
  std::string type_;
  std::vector<std::int64_t> shape_;
  bool is_fortran_order_ = false;
  std::size_t width_ = 0;
};

// A matrix of float32 or float64 (little-endian, C order), row by row.
class NpyMatrix {
 public:
  // Throws Error saying what the file holds instead.
  explicit NpyMatrix(const std::filesystem::path& file);

  std::int64_t rows() const { return file_.shape()[0]; }
  std::int64_t columns() const { return file_.shape()[1]; }
  // The next row into `row` (resized). False at the end. Throws Error when the file is cut short.
  bool next(std::vector<double>& row);

 private:
  NpyFile file_;
  std::int64_t read_ = 0;
  std::vector<char> bytes_;
};

// A one-dimensional array of integers of any width, signed or not, or of truth values (0 and 1). Throws Error
// saying what the file holds instead.
std::vector<std::int64_t> read_npy_integers(const std::filesystem::path& file);

}  // namespace procsim
