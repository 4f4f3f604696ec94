#include "curate/npy.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

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

std::string_view without_spaces(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// What stands between `open` and `close` after "'key':".
std::optional<std::string_view> value_of(std::string_view header, std::string_view key, char open,
                                         char close) {
  const auto name = fmt::format("'{}':", key);
  const auto place = header.find(name);
  if (place == std::string_view::npos) return {};
  const auto rest = without_spaces(header.substr(place + name.size()));
  const auto end = rest.find(close, 1);
  if (rest.empty() || rest[0] != open || end == std::string_view::npos) return {};
  return rest.substr(1, end - 1);
}

std::optional<std::int64_t> whole_number(std::string_view text, std::size_t most_digits) {
  text = without_spaces(text);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || text.size() > most_digits || error != std::errc() || end != text.data() + text.size() ||
      value < 0)
    return {};
  return value;
}

}  // namespace

NpyMatrix::NpyMatrix(const std::filesystem::path& file) : file_(file), stream_(file, std::ios::binary) {
  if (!stream_) throw Error(fmt::format("{}: cannot be read", file.string()));
  const auto header = read_header(stream_, file);
  const auto type = value_of(header, "descr", '\'', '\'');
  const auto shape = value_of(header, "shape", '(', ')');
  if (!type || !shape) throw Error(fmt::format("{}: its header is damaged", file.string()));
  if (*type != "<f4" && *type != "<f8")
    throw Error(fmt::format("{} holds {}; expected float32 or float64 (save with .astype('float32'))",
                            file.string(), *type));
  wide_ = *type == "<f8";
  if (header.find("'fortran_order': True") != std::string::npos)
    throw Error(fmt::format("{} is in Fortran order; save numpy.ascontiguousarray(x)", file.string()));
  auto sizes = without_spaces(*shape);
  if (sizes.ends_with(',')) sizes.remove_suffix(1);
  const auto comma = std::min(sizes.find(','), sizes.size());
  const auto rows = whole_number(sizes.substr(0, comma), 15);
  const auto columns = comma < sizes.size() ? whole_number(sizes.substr(comma + 1), 9) : std::nullopt;
  if (!rows || !columns)
    throw Error(fmt::format("{} has the shape ({}); expected samples × classes", file.string(), *shape));
  rows_ = *rows;
  columns_ = *columns;
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
