#include "data/files/leftovers.hpp"

#include <atomic>
#include <string_view>

#include <fmt/format.h>

#include "data/base/process.hpp"

namespace procsim {
namespace fs = std::filesystem;
namespace {

fs::path folder_of(const fs::path& target) {
  return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

// <process> of .<target>.<process>.<number>.tmp; empty for any other name.
std::string_view process_in(std::string_view name, std::string_view target) {
  constexpr std::string_view kTemporaryEnd = ".tmp";
  const auto begin = target.size() + 2;
  if (name.size() < begin + kTemporaryEnd.size() || !name.starts_with('.') ||
      !name.ends_with(kTemporaryEnd) || name.substr(1, target.size()) != target || name[begin - 1] != '.')
    return {};
  const auto rest = name.substr(begin);
  const auto process = rest.substr(0, rest.find('.'));
  return process.find_first_not_of("0123456789-") == std::string_view::npos ? process : std::string_view();
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

bool is_temporary_of(const fs::path& path, const fs::path& target) {
  return folder_of(path) == folder_of(target) &&
         !process_in(path.filename().string(), target.filename().string()).empty();
}

void remove_leftovers(const fs::path& target) {
  const auto wanted = target.filename().string();
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder_of(target), ignored)) {
    const auto found = entry.path().filename().string();
    const auto process = process_in(found, wanted);
    if (!process.empty() && !is_running_word(process)) fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace procsim
