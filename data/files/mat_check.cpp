#include "data/files/mat_check.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <arrow/util/compression.h>
#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/files/atomic_file.hpp"

namespace procsim {
namespace {

// MAT-File Format, chapter 1: a header of 128 bytes, then data elements, each with a tag of 8 bytes.
constexpr std::size_t kHeaderBytes = 128;
constexpr std::size_t kTagBytes = 8;
// The devkit's largest list is 3 MB; a file that grows beyond this is no annotation list.
constexpr std::size_t kMostBytes = 1u << 26;
constexpr int kDeepest = 16;

enum ElementType : std::uint32_t { kInt8 = 1, kInt32 = 5, kUint32 = 6, kMatrix = 14, kCompressed = 15 };
enum ArrayClass : std::uint32_t { kCell = 1, kStruct = 2, kChar = 4, kFirstNumeric = 6, kLastNumeric = 15 };

struct Element {
  std::uint32_t type = 0;
  std::string_view data;
};

// Bytes of one value of a data type; 0 for types that hold no numbers.
std::size_t width_of(std::uint32_t type) {
  constexpr std::array<std::size_t, 19> kWidths = {0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8, 0, 0, 1, 2, 4};
  return type < kWidths.size() ? kWidths[type] : 0;
}

// Whether variables are put together as they say: elements inside their parents, as many as the dimensions
// ask for.
class Structure {
 public:
  explicit Structure(bool big_endian) : big_endian_(big_endian) {}

  std::uint32_t number(std::string_view bytes, std::size_t at) const {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto byte = static_cast<unsigned char>(bytes[at + i]);
      value |= std::uint32_t{byte} << 8 * (big_endian_ ? 3 - i : i);
    }
    return value;
  }

  // Cuts `bytes` into elements that fill it; false when they do not.
  bool cut(std::string_view bytes, std::vector<Element>& elements) const {
    while (!bytes.empty()) {
      if (bytes.size() < kTagBytes) return false;
      const auto type = number(bytes, 0);
      if (const auto small_size = type >> 16; small_size != 0) {  // up to four bytes lie in the tag itself
        if (small_size > 4) return false;
        elements.push_back({type & 0xFFFF, bytes.substr(4, small_size)});
        bytes.remove_prefix(kTagBytes);
        continue;
      }
      const std::size_t size = number(bytes, 4);
      if (size > bytes.size() - kTagBytes) return false;
      elements.push_back({type, bytes.substr(kTagBytes, size)});
      const auto padded = (size + 7) / 8 * 8;
      bytes.remove_prefix(std::min(kTagBytes + padded, bytes.size()));
    }
    return true;
  }

  // The content of a matrix element. Nothing at all is an empty matrix.
  bool is_sound(std::string_view matrix, int depth = 0) const {
    if (matrix.empty()) return true;
    std::vector<Element> parts;
    if (depth > kDeepest || !cut(matrix, parts) || parts.size() < 3) return false;
    if (parts[0].type != kUint32 || parts[0].data.size() != 8) return false;
    const auto array_class = number(parts[0].data, 0) & 0xFF;
    std::uint64_t count = 0;
    if (!count_values(parts[1], count)) return false;
    switch (array_class) {
      case kCell:
        return are_matrices(parts, 3, count, depth);
      case kStruct:
        return is_sound_struct(parts, count, depth);
      case kChar:
        return parts.size() == 3 ? count == 0 : holds(parts[3], count, array_class);
      default:
        break;
    }
    if (array_class < kFirstNumeric || array_class > kLastNumeric) return true;  // no kind that we read
    return parts.size() == 3 ? count == 0 : holds(parts[3], count, array_class);
  }

 private:
  bool count_values(const Element& dimensions, std::uint64_t& count) const {
    if (dimensions.type != kInt32 || dimensions.data.size() < 8 || dimensions.data.size() % 4 != 0)
      return false;
    count = 1;
    for (std::size_t at = 0; at < dimensions.data.size(); at += 4) {
      count *= number(dimensions.data, at);
      if (count > kMostBytes) return false;
    }
    return true;
  }

  bool are_matrices(const std::vector<Element>& parts, std::size_t first, std::uint64_t count,
                    int depth) const {
    if (parts.size() - first != count) return false;
    return std::all_of(
        parts.begin() + static_cast<std::ptrdiff_t>(first), parts.end(),
        [&](const Element& part) { return part.type == kMatrix && is_sound(part.data, depth + 1); });
  }

  // Length of a field's name, the names, then the values row by row.
  bool is_sound_struct(const std::vector<Element>& parts, std::uint64_t count, int depth) const {
    if (parts.size() < 5 || parts[3].type != kInt32 || parts[3].data.size() != 4 || parts[4].type != kInt8)
      return false;
    const auto name_length = number(parts[3].data, 0);
    const auto& names = parts[4].data;
    if (name_length == 0 || names.size() % name_length != 0) return false;
    for (std::size_t at = 0; at < names.size(); at += name_length) {
      if (names.substr(at, name_length).find('\0') == std::string_view::npos)
        return false;  // no end of the name
    }
    return are_matrices(parts, 5, count * (names.size() / name_length), depth);
  }

  // UTF-8 has one byte or more a letter, all else exactly its width.
  static bool holds(const Element& values, std::uint64_t count, std::uint32_t array_class) {
    constexpr std::uint32_t kUtf8 = 16;
    if (width_of(values.type) == 0) return false;
    if (array_class == kChar && values.type == kUtf8) return values.data.size() >= count;
    return values.data.size() == count * width_of(values.type);
  }

  bool big_endian_;
};

// Unpacks a compressed element; zlib compares the checksum at the end. False when it is damaged or too large.
bool unpack(std::string_view packed, std::string& unpacked) {
  arrow::util::GZipCodecOptions options;
  options.gzip_format = arrow::util::GZipFormat::ZLIB;
  const auto codec = arrow::util::Codec::Create(arrow::Compression::GZIP, options);
  if (!codec.ok()) throw Error("this build of Arrow has no zlib: compressed .mat files cannot be read");
  const auto unpacker = (*codec)->MakeDecompressor();
  if (!unpacker.ok()) return false;
  std::array<std::uint8_t, 1 << 16> out;
  const auto* in = reinterpret_cast<const std::uint8_t*>(packed.data());
  auto left = static_cast<std::int64_t>(packed.size());
  while (!(*unpacker)->IsFinished()) {
    const auto step = (*unpacker)->Decompress(left, in, out.size(), out.data());
    if (!step.ok() || (step->bytes_read == 0 && step->bytes_written == 0)) return false;
    in += step->bytes_read;
    left -= step->bytes_read;
    unpacked.append(reinterpret_cast<const char*>(out.data()), static_cast<std::size_t>(step->bytes_written));
    if (unpacked.size() > kMostBytes) return false;
  }
  return true;
}

bool is_big_endian(const std::filesystem::path& path, std::string_view bytes) {
  if (bytes.starts_with("MATLAB 7.3")) {
    throw Error(fmt::format("{} is a MATLAB 7.3 file; save it again with -v7", path.string()));
  }
  const auto order = bytes.size() < kHeaderBytes ? std::string_view() : bytes.substr(kHeaderBytes - 2, 2);
  if (!bytes.starts_with("MATLAB 5.0") || (order != "IM" && order != "MI")) {
    throw Error(fmt::format("{} is not a MATLAB file of version 5 to 7", path.string()));
  }
  return order == "MI";
}

bool is_sound_variable(const Structure& structure, const Element& element) {
  if (element.type == kMatrix) return structure.is_sound(element.data);
  std::string unpacked;
  std::vector<Element> inside;
  return unpack(element.data, unpacked) && structure.cut(unpacked, inside) && inside.size() == 1 &&
         inside.front().type == kMatrix && structure.is_sound(inside.front().data);
}

}  // namespace

void check_mat_file(const std::filesystem::path& path) {
  const auto content = read_file(path);
  const std::string_view bytes = content;
  const Structure structure(is_big_endian(path, bytes));
  std::size_t at = kHeaderBytes;
  while (at < bytes.size()) {
    if (bytes.size() - at < kTagBytes)
      throw Error(fmt::format("{} is cut short at byte {}", path.string(), at));
    const auto type = structure.number(bytes, at);
    const std::size_t size = structure.number(bytes, at + 4);
    if (type != kMatrix && type != kCompressed) {
      throw Error(fmt::format("{} is damaged: no variable begins at byte {}", path.string(), at));
    }
    if (size > bytes.size() - at - kTagBytes) {
      throw Error(fmt::format("{} is cut short: the variable at byte {} has {} bytes, {} are left",
                              path.string(), at, size, bytes.size() - at - kTagBytes));
    }
    if (!is_sound_variable(structure, {type, bytes.substr(at + kTagBytes, size)})) {
      throw Error(fmt::format("{} is damaged inside the variable at byte {}", path.string(), at));
    }
    at += kTagBytes + size;
  }
}

}  // namespace procsim
