#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace procsim::test {

struct ProgramResult {
  int exit_code = -1;  // 128 + signal when a signal ended it
  std::string out;
  std::string err;
};

struct ProgramOptions {
  std::filesystem::path folder;  // where it runs; empty: the current folder
  std::map<std::string, std::string>
      environment;    // added to ours, which loses PROCSIM_DATA and PROCSIM_WORKSPACE
  std::string input;  // what it reads on stdin
};

// Runs one of our programs ("taxo", "noise", …) or any program by its path, and waits for it.
ProgramResult run_program(const std::string& program, const std::vector<std::string>& arguments,
                          const ProgramOptions& options = {});

std::filesystem::path program_path(const std::string& program);

}  // namespace procsim::test
