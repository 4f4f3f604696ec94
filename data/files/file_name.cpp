#include "data/files/file_name.hpp"

#include <algorithm>

#include "data/base/digest.hpp"
#include "data/base/error.hpp"
#include "data/base/words.hpp"

namespace procsim {

std::string lower_extension(const std::filesystem::path& path) {
  return lower_case(path.extension().string());
}

std::string file_stem_of(std::string_view name) {
  constexpr std::size_t kLongest = 100;
  std::string stem(name.substr(0, kLongest));
  for (auto& c : stem) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    if (!plain && (c != '.' || &c == &stem.front())) c = '_';
  }
  if (stem.empty() || stem != name) stem += "-" + sha256_hex(name).substr(0, 8);
  return stem;
}

bool is_part_file(const std::filesystem::path& path) {
  return path.extension() == ".parquet" && !path.filename().string().starts_with('.');
}

std::string path_component(std::string_view name) {
  constexpr std::size_t kLongest = 200;
  auto size = std::min(name.size(), kLongest);
  while (size < name.size() && size > 0 && (static_cast<unsigned char>(name[size]) & 0xC0u) == 0x80u) --size;
  std::string component(name.substr(0, size));
  for (auto& c : component)
    if (c == '/' || static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '_';
  if (component.starts_with('.')) component.front() = '_';
  if (component.empty() || component != name) component += "-" + sha256_hex(name).substr(0, 8);
  return component;
}

std::vector<std::filesystem::path> parquet_parts(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<std::filesystem::path> parts;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (entry.is_regular_file() && is_part_file(entry.path())) parts.push_back(entry.path());
  }
  std::sort(parts.begin(), parts.end());
  return parts;
}

std::vector<std::filesystem::path> some_parquet_parts(const std::filesystem::path& path) {
  auto parts = parquet_parts(path);
  if (parts.empty()) throw Error(path.string() + " holds no *.parquet files");
  return parts;
}

std::string parts_digest(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) return sha256_file(path);
  Sha256 digest;
  for (const auto& part : parquet_parts(path))
    digest.update(sha256_file(part) + "  " + part.filename().string() + "\n");
  return digest.finish_hex();
}

}  // namespace procsim
