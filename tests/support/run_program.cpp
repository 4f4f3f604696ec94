#include "tests/support/run_program.hpp"

#include <cstdlib>
#include <stdexcept>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/test_files.hpp"

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

ProgramResult run_program(const std::string& program, const std::vector<std::string>& arguments,
                          const ProgramOptions& options) {
  const TemporaryFolder files;
  files.write("in", options.input);
  const auto path = program_path(program).string();
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot start " + path);
  if (child == 0) become(path, arguments, options, files.path());
  int status = 0;
  if (::waitpid(child, &status, 0) != child) throw std::runtime_error("lost " + path);
  ProgramResult result;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = read_all(files / "out");
  result.err = read_all(files / "err");
  return result;
}

}  // namespace procsim::test
