#include "data/files/file_name.hpp"

#include <algorithm>

#include "data/base/digest.hpp"

namespace procsim {

std::string lower_extension(const std::filesystem::path& path) {
  auto extension = path.extension().string();
  for (auto& c : extension)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return extension;
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

std::vector<std::filesystem::path> parquet_parts(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<std::filesystem::path> parts;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    const auto name = entry.path().filename().string();
    if (entry.is_regular_file() && name.ends_with(".parquet") && !name.starts_with('.'))
      parts.push_back(entry.path());
  }
  std::sort(parts.begin(), parts.end());
  return parts;
}

}  // namespace procsim
