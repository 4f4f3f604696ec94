#include "tests/cli/launched_processes.hpp"

#include "tests/support/free_port.hpp"

namespace procsim::test {

LaunchedProcesses::LaunchedProcesses(const std::filesystem::path& folder, int size, const Words& words) {
  const auto port = std::to_string(free_port());
  for (int rank = 0; rank < size; ++rank)
    processes_.emplace_back("procsim-train", words(rank),
                            ProgramOptions{.folder = folder,
                                           .environment = {{"RANK", std::to_string(rank)},
                                                           {"WORLD_SIZE", std::to_string(size)},
                                                           {"MASTER_ADDR", "127.0.0.1"},
                                                           {"MASTER_PORT", port}}});
}

std::vector<ProgramResult> LaunchedProcesses::wait() {
  std::vector<ProgramResult> results;
  for (auto& process : processes_) results.push_back(process.wait());
  return results;
}

}  // namespace procsim::test
