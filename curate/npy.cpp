#include "curate/npy.hpp"

#include <cstring>
#include <regex>
#include <string>

#include <fmt/format.h>

#include "data/error.hpp"

namespace procsim {

namespace {

std::uint32_t little_endian(const char* bytes, int count) {
  std::uint32_t value = 0;
  for (int i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
std::string read_header(std::ifstream& stream, const std::filesystem::path& file) {
  char start[12] = {};
  stream.read(start, 8);
  if (!stream || std::memcmp(start, "\x93NUMPY", 6) != 0)
    throw Error(fmt::format("{} is not a NumPy file (.npy)", file.string()));
  const int length_bytes = start[6] == 1 ? 2 : 4;
  stream.read(start + 8, length_bytes);
  const auto length = little_endian(start + 8, length_bytes);
  if (!stream || length > 1U << 20) throw Error(fmt::format("{}: its header is damaged", file.string()));
  std::string header(length, '\0');
  stream.read(header.data(), static_cast<std::streamsize>(length));
  if (!stream) throw Error(fmt::format("{}: its header is cut short", file.string()));
  return header;
}

}  // namespace

NpyMatrix::NpyMatrix(const std::filesystem::path& file) : file_(file), stream_(file, std::ios::binary) {
  if (!stream_) throw Error(fmt::format("{}: cannot be read", file.string()));
  const auto header = read_header(stream_, file);
  std::smatch type, shape;
  if (!std::regex_search(header, type, std::regex(R"('descr':\s*'([^']*)')")) ||
      !std::regex_search(header, shape, std::regex(R"('shape':\s*\(([^)]*)\))")))
    throw Error(fmt::format("{}: its header is damaged", file.string()));
  if (type[1] != "<f4" && type[1] != "<f8")
    throw Error(fmt::format("{} holds {}; expected float32 or float64 (save with .astype('float32'))",
                            file.string(), type[1].str()));
  wide_ = type[1] == "<f8";
  if (header.find("'fortran_order': True") != std::string::npos)
    throw Error(fmt::format("{} is in Fortran order; save numpy.ascontiguousarray(x)", file.string()));
  const auto sizes = shape[1].str();
  std::smatch two;
  if (!std::regex_match(sizes, two, std::regex(R"(\s*(\d{1,15})\s*,\s*(\d{1,9})\s*,?\s*)")))
    throw Error(fmt::format("{} has the shape ({}); expected samples × classes", file.string(), sizes));
  rows_ = std::stoll(two[1]);
  columns_ = std::stoll(two[2]);
  bytes_.resize(static_cast<std::size_t>(columns_) * (wide_ ? 8 : 4));
}

bool NpyMatrix::next(std::vector<double>& row) {
  if (read_ == rows_) return false;
  stream_.read(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
  if (!stream_) throw Error(fmt::format("{} ends after row {} of {}", file_.string(), read_, rows_));
  row.resize(static_cast<std::size_t>(columns_));
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (wide_) {
      std::memcpy(&row[i], bytes_.data() + 8 * i, 8);
    } else {
      float value = 0;
      std::memcpy(&value, bytes_.data() + 4 * i, 4);
      row[i] = value;
    }
  }
  ++read_;
  return true;
}

}  // namespace procsim
