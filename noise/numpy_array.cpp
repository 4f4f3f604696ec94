#include "noise/numpy_array.hpp"

#include <charconv>
#include <cstring>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "data/atomic_file.hpp"
#include "data/error.hpp"

namespace procsim {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
  throw Error(fmt::format("{}: {}", path.string(), what));
}

[[noreturn]] void refuse_pickle(const std::filesystem::path& path) {
  fail(path,
       "is a pickle, which is code and is not run. Save the numbers instead, in Python: "
       "numpy.save('labels.npy', "
       "torch.load('CIFAR-10_human.pt', weights_only=False)['worse_label'])");
}

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

// The value of a key in the header, a Python dictionary literal: "{'descr': '<i8', 'shape': (3,), }".
std::string_view value_of(std::string_view header, std::string_view key, const std::filesystem::path& path) {
  const auto found = header.find(fmt::format("'{}':", key));
  if (found == std::string_view::npos) fail(path, fmt::format("its header has no '{}'", key));
  auto rest = header.substr(found + key.size() + 3);
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  const auto end = rest.starts_with('(') ? rest.find(')') + 1 : rest.find(',');
  return rest.substr(0, end);
}

std::size_t length_from(std::string_view shape, const std::filesystem::path& path) {
  std::size_t length = 0;
  const auto* begin = shape.data() + 1;
  const auto* end = shape.data() + shape.size();
  const auto [rest, code] = std::from_chars(begin, end, length);
  if (code != std::errc{} ||
      std::string_view(rest, static_cast<std::size_t>(end - rest)).find_first_of("0123456789") !=
          std::string_view::npos) {
    fail(path, fmt::format("holds an array of shape {}; expected one dimension", shape));
  }
  return length;
}

}  // namespace

std::vector<std::int64_t> read_numpy_integers(const std::filesystem::path& path) {
  const auto content = read_file(path);
  const std::string_view bytes(content);
  if (bytes.starts_with("PK") || bytes.starts_with("\x80")) refuse_pickle(path);
  if (!bytes.starts_with("\x93NUMPY") || bytes.size() < 12) fail(path, "is no .npy file");
  const std::size_t size_bytes = bytes[6] == 1 ? 2 : 4;
  const auto header_size = little_endian(bytes.substr(8, size_bytes));
  if (bytes.size() < 8 + size_bytes + header_size) fail(path, "ends within its header");
  const auto header = bytes.substr(8 + size_bytes, header_size);
  const auto values = bytes.substr(8 + size_bytes + header_size);

  const auto type = value_of(header, "descr", path);  // quoted: '<i8'
  if (type.find('O') != std::string_view::npos) refuse_pickle(path);
  const bool is_integer = type.size() == 5 && (type[2] == 'i' || type[2] == 'u');
  const std::size_t width = is_integer ? static_cast<std::size_t>(type[3] - '0') : 0;
  if (width != 1 && width != 2 && width != 4 && width != 8) {
    fail(path, fmt::format("holds values of type {}; expected integers", type));
  }
  const auto length = length_from(value_of(header, "shape", path), path);
  if (values.size() / width < length) fail(path, fmt::format("ends before its {} values", length));

  std::vector<std::int64_t> result;
  result.reserve(length);
  for (std::size_t i = 0; i < length; ++i) {
    std::string word(values.substr(i * width, width));
    if (type[1] == '>') std::string(word.rbegin(), word.rend()).swap(word);
    auto value = little_endian(word);
    const bool negative = type[2] == 'i' && width < 8 && (value >> (8 * width - 1)) != 0;
    if (negative) value |= ~std::uint64_t{0} << (8 * width);
    result.push_back(static_cast<std::int64_t>(value));
  }
  return result;
}

}  // namespace procsim
