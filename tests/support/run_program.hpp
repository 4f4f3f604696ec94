#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "tests/support/test_files.hpp"

namespace procsim::test {

struct ProgramResult {
  int exit_code = -1;  // 128 + signal when a signal ended it
  std::string out;
  std::string err;
};

struct ProgramOptions {
  std::filesystem::path folder{};  // where it runs; empty: the current folder
  std::map<std::string, std::string>
      environment{};    // added to ours, which loses PROCSIM_DATA and PROCSIM_WORKSPACE
  std::string input{};  // what it reads on stdin
  // Pipes in place of stdin and stdout, for whoever talks with it; -1: none. Their other ends must be closed
  // by exec.
  int in = -1, out = -1;
};

// One of our programs ("taxo", "noise", …) or any program by its path, while the test goes on. Killed if it
// still runs when the object ends.
class RunningProgram {
 public:
  RunningProgram(const std::string& program, const std::vector<std::string>& arguments,
                 const ProgramOptions& options = {});
  ~RunningProgram();
  RunningProgram(RunningProgram&& other) noexcept;
  RunningProgram& operator=(RunningProgram&&) = delete;

  void signal(int signal) const;
  // Waits until the file exists; false: the program ended before.
  bool wait_for(const std::filesystem::path& file);
  // Waits until it has ended. Asked again, it says the same.
  ProgramResult wait();
  ProgramResult stop(int with_signal);  // both

 private:
  bool has_ended(int flags);

  std::unique_ptr<TemporaryFolder> files_;  // that stand for its streams
  pid_t process_ = 0;                       // 0: it was waited for
  int exit_code_ = -1;
};

// Runs a program, and waits for it.
ProgramResult run_program(const std::string& program, const std::vector<std::string>& arguments,
                          const ProgramOptions& options = {});

std::filesystem::path program_path(const std::string& program);

}  // namespace procsim::test
