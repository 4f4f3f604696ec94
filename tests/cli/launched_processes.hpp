#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/run_program.hpp"

namespace procsim::test {

// procsim-train as a launcher starts it: `size` processes that meet at a free port of this machine.
class LaunchedProcesses {
 public:
  using Words = std::function<std::vector<std::string>(int rank)>;

  LaunchedProcesses(const std::filesystem::path& folder, int size, const Words& words);
  LaunchedProcesses(const std::filesystem::path& folder, int size, const std::vector<std::string>& words)
      : LaunchedProcesses(folder, size, [&](int) { return words; }) {}

  // Waits until the file exists; false: the first process ended before.
  bool wait_for(const std::filesystem::path& file) { return processes_.front().wait_for(file); }
  void kill(int rank, int signal) const { processes_[static_cast<std::size_t>(rank)].signal(signal); }
  std::vector<ProgramResult> wait();

 private:
  std::vector<RunningProgram> processes_;
};

}  // namespace procsim::test
