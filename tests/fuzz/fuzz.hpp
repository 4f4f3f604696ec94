#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "data/base/error.hpp"

namespace procsim::fuzz {

inline std::string_view text_of(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

// A file in memory with these bytes, for readers that want a path.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* bytes, std::size_t size) : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    while (size > 0) {
      const auto written = ::write(descriptor_, bytes, size);
      if (written <= 0) break;
      bytes += written;
      size -= static_cast<std::size_t>(written);
    }
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::filesystem::path path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

 private:
  int descriptor_;
};

// Bad input ends with Error and nothing else: whatever else is thrown ends the fuzzer.
template <typename Call>
int attempt(const Call& call) {
  try {
    call();
  } catch (const Error&) {
  }
  return 0;
}

}  // namespace procsim::fuzz
