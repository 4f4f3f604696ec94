#include "tools/train/shared/cell_queue.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "data/base/error.hpp"
#include "data/base/words.hpp"
#include "data/files/atomic_file.hpp"

namespace procsim::tools {
namespace {

constexpr int kRights = 0666;

int open_lock(const std::filesystem::path& file) {
  std::filesystem::create_directories(file.parent_path());
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT, kRights);
  if (descriptor < 0)
    throw Error(fmt::format("{}: cannot be made ({}). The workspace must be writable.", file.string(),
                            std::strerror(errno)));
  return descriptor;
}

// Locks of the open file, not of the process: they pass to programs that are started, and end with the last
// process that has the file open.
struct flock whole_file() {
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

[[noreturn]] void become(std::vector<char*>& arguments, int log) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  ::dup2(log, STDOUT_FILENO);
  ::dup2(log, STDERR_FILENO);
  ::execv(arguments.front(), arguments.data());
  ::_exit(127);
}

}  // namespace

std::optional<CellLock> CellLock::try_take(const std::filesystem::path& file) {
  const int descriptor = open_lock(file);
  auto lock = whole_file();
  if (::fcntl(descriptor, F_OFD_SETLK, &lock) == 0) return CellLock(descriptor);
  ::close(descriptor);
  return std::nullopt;
}

CellLock CellLock::take(const std::filesystem::path& file) {
  const int descriptor = open_lock(file);
  auto lock = whole_file();
  while (::fcntl(descriptor, F_OFD_SETLKW, &lock) != 0)
    if (errno != EINTR) throw Error(fmt::format("{}: {}", file.string(), std::strerror(errno)));
  return CellLock(descriptor);
}

bool CellLock::is_taken(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  auto lock = whole_file();
  const bool asked = ::fcntl(descriptor, F_OFD_GETLK, &lock) == 0;
  ::close(descriptor);
  return asked && lock.l_type != F_UNLCK;
}

CellLock::~CellLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

int run_program(const std::vector<std::string>& words, const std::filesystem::path& log) {
  std::filesystem::create_directories(log.parent_path());
  const int output = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kRights);
  if (output < 0) throw Error(fmt::format("{}: {}", log.string(), std::strerror(errno)));
  auto copies = words;
  std::vector<char*> arguments;
  for (auto& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const auto child = ::fork();
  if (child == 0) become(arguments, output);
  ::close(output);
  if (child < 0) throw Error(fmt::format("{}: {}", words.front(), std::strerror(errno)));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string last_line_of(const std::filesystem::path& log) {
  const auto text = read_file(log);
  std::string last;
  for (const auto line : split_lines(text))
    if (!trimmed(line).empty()) last = std::string(trimmed(line));
  return last;
}

}  // namespace procsim::tools
