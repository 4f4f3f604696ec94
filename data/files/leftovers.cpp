#include "data/files/leftovers.hpp"

#include <atomic>

#include <fmt/format.h>

#include "data/base/process.hpp"

namespace procsim {
namespace fs = std::filesystem;
namespace {

fs::path folder_of(const fs::path& target) {
  return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

}  // namespace

fs::path temporary_beside(const fs::path& target) {
  static std::atomic<unsigned> counter{0};
  fs::path name;
  std::error_code ignored;
  const auto process = this_process_word();
  do {
    name = folder_of(target) / fmt::format(".{}.{}.{}.tmp", target.filename().string(), process, counter++);
  } while (fs::exists(name, ignored));
  return name;
}

void remove_leftovers(const fs::path& target) {
  const auto prefix = fmt::format(".{}.", target.filename().string());
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder_of(target), ignored)) {
    const auto found = entry.path().filename().string();
    if (!found.starts_with(prefix) || !found.ends_with(".tmp")) continue;
    const auto rest = std::string_view(found).substr(prefix.size());
    const auto process = rest.substr(0, rest.find('.'));
    if (process.find_first_not_of("0123456789-") != std::string_view::npos || is_running_word(process))
      continue;
    fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace procsim
