#include "data/files/leftovers.hpp"

#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>

#include <fmt/format.h>
#include <unistd.h>

namespace procsim {
namespace fs = std::filesystem;
namespace {

bool is_running(pid_t process) { return ::kill(process, 0) == 0 || errno != ESRCH; }

fs::path folder_of(const fs::path& target) {
  return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

}  // namespace

fs::path temporary_beside(const fs::path& target) {
  static std::atomic<unsigned> counter{0};
  fs::path name;
  std::error_code ignored;
  do {  // in a container a killed process may have had our number
    name =
        folder_of(target) / fmt::format(".{}.{}.{}.tmp", target.filename().string(), ::getpid(), counter++);
  } while (fs::exists(name, ignored));
  return name;
}

void remove_leftovers(const fs::path& target) {
  const auto prefix = fmt::format(".{}.", target.filename().string());
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder_of(target), ignored)) {
    const auto found = entry.path().filename().string();
    if (!found.starts_with(prefix) || !found.ends_with(".tmp")) continue;
    pid_t process = 0;
    const auto digits = std::string_view(found).substr(prefix.size());
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), process);
    if (parsed.ec != std::errc{} || *parsed.ptr != '.' || process <= 0 || is_running(process)) continue;
    fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace procsim
