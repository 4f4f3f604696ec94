#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "tests/support/free_port.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::test {

// procsim-train as a launcher starts it: `size` processes that meet at a free port of this machine.
class LaunchedProcesses {
 public:
  using Words = std::function<std::vector<std::string>(int rank)>;

  LaunchedProcesses(const std::filesystem::path& folder, int size, const Words& words);
  LaunchedProcesses(const std::filesystem::path& folder, int size, const std::vector<std::string>& words)
      : LaunchedProcesses(folder, size, [&](int) { return words; }) {}
  // Those that still run are killed.
  ~LaunchedProcesses();
  LaunchedProcesses(const LaunchedProcesses&) = delete;
  LaunchedProcesses& operator=(const LaunchedProcesses&) = delete;

  // Waits until the file exists; false: the first process ended before.
  bool wait_for(const std::filesystem::path& file);
  void kill(int rank, int signal) const;
  std::vector<ProgramResult> wait();

 private:
  TemporaryFolder files_;
  std::vector<pid_t> running_;  // 0: waited for
  std::vector<ProgramResult> results_;

  void ended(std::size_t rank, int status);
};

}  // namespace procsim::test
