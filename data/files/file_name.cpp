#include "data/files/file_name.hpp"

#include <algorithm>

namespace procsim {

std::string lower_extension(const std::filesystem::path& path) {
  auto extension = path.extension().string();
  for (auto& c : extension)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return extension;
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
