#include "tests/support/run_program.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace procsim::test {
namespace {

[[noreturn]] void become(const std::string& program, const std::vector<std::string>& arguments,
                         const ProgramOptions& options, const std::filesystem::path& files) {
  const auto redirect = [](const std::filesystem::path& path, int flags, int descriptor) {
    const int opened = ::open(path.c_str(), flags, 0600);
    if (opened < 0 || ::dup2(opened, descriptor) < 0) ::_exit(126);
  };
  redirect(files / "in", O_RDONLY, STDIN_FILENO);
  redirect(files / "out", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
  if (options.in >= 0) ::dup2(options.in, STDIN_FILENO);
  if (options.out >= 0) ::dup2(options.out, STDOUT_FILENO);
  redirect(files / "err", O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
  if (!options.folder.empty() && ::chdir(options.folder.c_str()) != 0) ::_exit(126);
  // What a user has exported must not decide where a test reads and writes.
  for (const auto* name : {"PROCSIM_DATA", "PROCSIM_WORKSPACE"}) ::unsetenv(name);
  for (const auto& [name, value] : options.environment) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> words;
  std::string first = program;
  words.push_back(first.data());
  for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  ::execv(program.c_str(), words.data());
  ::_exit(127);
}

}  // namespace

std::filesystem::path program_path(const std::string& program) {
  if (program.find('/') != std::string::npos) return program;
  return std::filesystem::path(PROCSIM_BIN_DIR) / program;
}

RunningProgram::RunningProgram(const std::string& program, const std::vector<std::string>& arguments,
                               const ProgramOptions& options)
    : files_(std::make_unique<TemporaryFolder>()) {
  files_->write("in", options.input);
  const auto path = program_path(program).string();
  process_ = ::fork();
  if (process_ < 0) throw std::runtime_error("cannot start " + path);
  if (process_ == 0) become(path, arguments, options, files_->path());
}

RunningProgram::RunningProgram(RunningProgram&& other) noexcept
    : files_(std::move(other.files_)),
      process_(std::exchange(other.process_, 0)),
      exit_code_(other.exit_code_) {}

RunningProgram::~RunningProgram() {
  if (process_ == 0) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

void RunningProgram::signal(int signal) const {
  if (process_ != 0) ::kill(process_, signal);
}

bool RunningProgram::wait_for(const std::filesystem::path& file) {
  while (!std::filesystem::exists(file)) {
    if (has_ended(WNOHANG)) return false;
    ::usleep(1000);
  }
  return true;
}

ProgramResult RunningProgram::wait() {
  has_ended(0);
  return {exit_code_, read_all(*files_ / "out"), read_all(*files_ / "err")};
}

ProgramResult RunningProgram::stop(int with_signal) {
  signal(with_signal);
  return wait();
}

bool RunningProgram::has_ended(int flags) {
  if (process_ == 0) return true;
  int status = 0;
  pid_t ended = -1;
  do ended = ::waitpid(process_, &status, flags);
  while (ended < 0 && errno == EINTR);
  if (ended == 0) return false;
  if (ended < 0) throw std::runtime_error("lost a program that was started");
  process_ = 0;
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return true;
}

ProgramResult run_program(const std::string& program, const std::vector<std::string>& arguments,
                          const ProgramOptions& options) {
  return RunningProgram(program, arguments, options).wait();
}

}  // namespace procsim::test
