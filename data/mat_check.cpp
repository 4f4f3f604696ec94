#include "data/mat_check.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <arrow/util/compression.h>
#include <fmt/format.h>

#include "data/atomic_file.hpp"
#include "data/error.hpp"

namespace procsim {
namespace {

// MAT-File Format, chapter 1: a header of 128 bytes, then data elements, each with a tag of 8 bytes.
constexpr std::size_t kHeaderBytes = 128;
constexpr std::size_t kTagBytes = 8;
constexpr std::uint32_t kMatrix = 14;
constexpr std::uint32_t kCompressed = 15;
// The devkit's largest list is 3 MB; a file that grows beyond this is no annotation list.
constexpr std::size_t kMostBytes = 1u << 30;

std::uint32_t number_at(std::string_view bytes, std::size_t at, bool big_endian) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[at + i]);
    value |= std::uint32_t{byte} << 8 * (big_endian ? 3 - i : i);
  }
  return value;
}

// Unpacks to nowhere: zlib compares the checksum at the end.
bool is_sound_zlib(std::string_view packed) {
  arrow::util::GZipCodecOptions options;
  options.gzip_format = arrow::util::GZipFormat::ZLIB;
  const auto codec = arrow::util::Codec::Create(arrow::Compression::GZIP, options);
  if (!codec.ok()) throw Error("this build of Arrow has no zlib: compressed .mat files cannot be read");
  const auto unpacker = (*codec)->MakeDecompressor();
  if (!unpacker.ok()) return false;
  std::array<std::uint8_t, 1 << 16> out;
  std::size_t total = 0;
  const auto* in = reinterpret_cast<const std::uint8_t*>(packed.data());
  auto left = static_cast<std::int64_t>(packed.size());
  while (!(*unpacker)->IsFinished()) {
    const auto step = (*unpacker)->Decompress(left, in, out.size(), out.data());
    if (!step.ok() || (step->bytes_read == 0 && step->bytes_written == 0)) return false;
    in += step->bytes_read;
    left -= step->bytes_read;
    total += static_cast<std::size_t>(step->bytes_written);
    if (total > kMostBytes) return false;
  }
  return true;
}

bool check_header(const std::filesystem::path& path, std::string_view bytes) {
  if (bytes.starts_with("MATLAB 7.3")) {
    throw Error(fmt::format("{} is a MATLAB 7.3 file; save it again with -v7", path.string()));
  }
  const auto order = bytes.size() < kHeaderBytes ? std::string_view() : bytes.substr(kHeaderBytes - 2, 2);
  if (!bytes.starts_with("MATLAB 5.0") || (order != "IM" && order != "MI")) {
    throw Error(fmt::format("{} is not a MATLAB file of version 5 to 7", path.string()));
  }
  return order == "MI";
}

}  // namespace

void check_mat_file(const std::filesystem::path& path) {
  const auto content = read_file(path);
  const std::string_view bytes = content;
  const bool big_endian = check_header(path, bytes);
  std::size_t at = kHeaderBytes;
  while (at < bytes.size()) {
    if (bytes.size() - at < kTagBytes)
      throw Error(fmt::format("{} is cut short at byte {}", path.string(), at));
    const auto type = number_at(bytes, at, big_endian);
    const auto size = number_at(bytes, at + 4, big_endian);
    if (type != kMatrix && type != kCompressed) {
      throw Error(fmt::format("{} is damaged: no variable begins at byte {}", path.string(), at));
    }
    if (size > bytes.size() - at - kTagBytes) {
      throw Error(fmt::format("{} is cut short: the variable at byte {} has {} bytes, {} are left",
                              path.string(), at, size, bytes.size() - at - kTagBytes));
    }
    if (type == kCompressed && !is_sound_zlib(bytes.substr(at + kTagBytes, size))) {
      throw Error(fmt::format("{} is damaged: the variable at byte {} does not unpack", path.string(), at));
    }
    at += kTagBytes + size;
  }
}

}  // namespace procsim
