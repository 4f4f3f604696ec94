#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace procsim {

// SHA-256 over any number of pieces. Digests are written as 64 lower-case hexadecimal letters.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  void update(std::span<const std::byte> bytes);
  void update(std::string_view text);

  // Ends the message; the object must not be used afterwards.
  std::string finish_hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string sha256_hex(std::string_view text);

// Digest of a file's content, read in pieces. Throws Error with the path when it cannot be read.
std::string sha256_file(const std::filesystem::path& path);

}  // namespace procsim
