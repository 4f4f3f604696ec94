#include "data/files/npy.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/number.hpp"
#include "data/base/words.hpp"

namespace procsim {
namespace {

constexpr std::size_t kLongestHeader = 1U << 20;
constexpr std::size_t kMostDimensions = 32;  // NumPy's own limit

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

[[noreturn]] void fail_npy(const std::filesystem::path& file, const std::string& what) {
  throw Error(fmt::format("{}: {}", file.string(), what));
}

[[noreturn]] void refuse_pickle(const std::filesystem::path& file) {
  fail_npy(file,
           "is a pickle, which is code and is not run. Save the numbers instead, in Python: "
           "numpy.save('labels.npy', torch.load('CIFAR-10_human.pt', weights_only=False)['worse_label'])");
}

// The header, a Python dictionary literal: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
std::string read_header(std::ifstream& stream, const std::filesystem::path& file) {
  std::array<char, 12> start{};
  stream.read(start.data(), 8);
  const std::string_view magic(start.data(), static_cast<std::size_t>(stream.gcount()));
  if (magic.starts_with("PK") || magic.starts_with('\x80')) refuse_pickle(file);
  if (!magic.starts_with("\x93NUMPY")) fail_npy(file, "is not a NumPy file (.npy)");
  const std::size_t length_bytes = start[6] == 1 ? 2 : 4;
  stream.read(start.data() + 8, static_cast<std::streamsize>(length_bytes));
  const auto length = little_endian({start.data() + 8, length_bytes});
  if (!stream || length > kLongestHeader) fail_npy(file, "its header is damaged");
  std::string header(length, '\0');
  stream.read(header.data(), static_cast<std::streamsize>(length));
  if (!stream) fail_npy(file, "its header is cut short");
  return header;
}

std::optional<std::string_view> value_of(std::string_view header, std::string_view key) {
  const auto name = fmt::format("'{}':", key);
  const auto place = header.find(name);
  if (place == std::string_view::npos) return {};
  return trimmed(header.substr(place + name.size()));
}

// What stands between `open` and `close` after "'key':".
std::optional<std::string_view> enclosed_value(std::string_view header, std::string_view key, char open,
                                               char close) {
  const auto rest = value_of(header, key);
  if (!rest || rest->empty() || rest->front() != open) return {};
  const auto end = rest->find(close, 1);
  if (end == std::string_view::npos) return {};
  return rest->substr(1, end - 1);
}

std::optional<std::vector<std::int64_t>> sizes_in(std::string_view shape) {
  std::vector<std::int64_t> sizes;
  for (auto rest = trimmed(shape); !rest.empty();) {
    const auto comma = std::min(rest.find(','), rest.size());
    const auto text = trimmed(rest.substr(0, comma));
    const auto size = parse_number<std::int64_t>(text);
    const bool is_size = size && *size >= 0 && text.size() <= 15;
    if (!is_size || sizes.size() == kMostDimensions) return {};
    sizes.push_back(*size);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return sizes;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

}  // namespace

NpyFile::NpyFile(const std::filesystem::path& file) : path_(file), stream_(file, std::ios::binary) {
  if (!stream_ || std::filesystem::is_directory(file)) fail_npy(file, "cannot be read");
  const auto header = read_header(stream_, file);
  const auto type = enclosed_value(header, "descr", '\'', '\'');
  const auto shape = enclosed_value(header, "shape", '(', ')');
  const auto order = value_of(header, "fortran_order");
  const auto sizes = shape ? sizes_in(*shape) : std::nullopt;
  if (!type || !sizes || !order) fail_npy(file, "its header is damaged");
  if (type->find('O') != std::string_view::npos) refuse_pickle(file);
  type_ = *type;
  shape_ = *sizes;
  is_fortran_order_ = order->starts_with("True");
  if (type_.size() < 3 ||
      std::from_chars(type_.data() + 2, type_.data() + type_.size(), width_).ec != std::errc{})
    fail_npy(file, fmt::format("holds values of type {}, which is unknown", type_));
}

bool NpyFile::read(std::size_t count, std::vector<char>& bytes) {
  bytes.resize(count * width_);
  stream_.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return static_cast<bool>(stream_);
}

NpyMatrix::NpyMatrix(const std::filesystem::path& file) : file_(file) {
  if (file_.type() != "<f4" && file_.type() != "<f8")
    throw Error(fmt::format("{} holds {}; expected float32 or float64 (save with .astype('float32'))",
                            file.string(), file_.type()));
  if (file_.is_fortran_order())
    throw Error(fmt::format("{} is in Fortran order; save numpy.ascontiguousarray(x)", file.string()));
  constexpr std::int64_t kMostColumns = 1'000'000'000;
  if (file_.shape().size() != 2 || columns() >= kMostColumns)
    throw Error(fmt::format("{} has the shape {}; expected samples × classes", file.string(),
                            shape_text(file_.shape())));
}

bool NpyMatrix::next(std::vector<double>& row) {
  if (read_ == rows()) return false;
  row.resize(static_cast<std::size_t>(columns()));
  if (!file_.read(row.size(), bytes_))
    throw Error(fmt::format("{} ends after row {} of {}", file_.path().string(), read_, rows()));
  if (file_.width() == sizeof(double)) {
    std::memcpy(row.data(), bytes_.data(), bytes_.size());
  } else {
    for (std::size_t i = 0; i < row.size(); ++i) {
      float value = 0;
      std::memcpy(&value, bytes_.data() + sizeof(float) * i, sizeof(float));
      row[i] = value;
    }
  }
  ++read_;
  return true;
}

std::vector<std::int64_t> read_npy_integers(const std::filesystem::path& path) {
  NpyFile file(path);
  const char kind = file.type()[1];
  const auto width = file.width();
  if ((kind != 'i' && kind != 'u' && kind != 'b') || (width != 1 && width != 2 && width != 4 && width != 8))
    fail_npy(path, fmt::format("holds values of type {}; expected integers", file.type()));
  if (file.shape().size() != 1)
    fail_npy(path,
             fmt::format("holds an array of shape {}; expected one dimension", shape_text(file.shape())));

  std::vector<std::int64_t> values;
  std::vector<char> bytes;
  constexpr std::int64_t kBlock = 65536;  // what a damaged length asks for is not taken before it is there
  for (auto left = file.shape().front(); left > 0; left -= kBlock) {
    const auto count = static_cast<std::size_t>(std::min(left, kBlock));
    if (!file.read(count, bytes))
      fail_npy(path, fmt::format("ends before its {} values", file.shape().front()));
    for (std::size_t i = 0; i < count; ++i) {
      std::string word(bytes.data() + i * width, width);
      if (file.type()[0] == '>') std::ranges::reverse(word);
      auto value = little_endian(word);
      const bool is_negative = kind == 'i' && width < 8 && (value >> (8 * width - 1)) != 0;
      if (is_negative) value |= ~std::uint64_t{0} << (8 * width);
      values.push_back(static_cast<std::int64_t>(value));
    }
  }
  return values;
}

}  // namespace procsim
