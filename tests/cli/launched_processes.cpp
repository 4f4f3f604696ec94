#include "tests/cli/launched_processes.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include <sys/wait.h>
#include <unistd.h>

namespace procsim::test {
namespace {

std::string file_of(const std::string& stream, std::size_t rank) { return stream + std::to_string(rank); }

}  // namespace

LaunchedProcesses::LaunchedProcesses(const std::filesystem::path& folder, int size, const Words& words)
    : results_(static_cast<std::size_t>(size)) {
  const auto port = std::to_string(free_port());
  for (int rank = 0; rank < size; ++rank) {
    auto list = words(rank);
    list.insert(list.begin(), program_path("procsim-train").string());
    std::vector<char*> arguments;
    for (auto& word : list) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const auto place = static_cast<std::size_t>(rank);
    const auto out = (files_ / file_of("out", place)).string();
    const auto err = (files_ / file_of("err", place)).string();
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("cannot start procsim-train");
    if (child != 0) {
      running_.push_back(child);
      continue;
    }
    if (std::freopen(out.c_str(), "w", stdout) == nullptr ||
        std::freopen(err.c_str(), "w", stderr) == nullptr || ::chdir(folder.c_str()) != 0)
      ::_exit(126);
    ::unsetenv("PROCSIM_WORKSPACE");
    ::setenv("RANK", std::to_string(rank).c_str(), 1);
    ::setenv("WORLD_SIZE", std::to_string(size).c_str(), 1);
    ::setenv("MASTER_ADDR", "127.0.0.1", 1);
    ::setenv("MASTER_PORT", port.c_str(), 1);
    ::execv(arguments.front(), arguments.data());
    ::_exit(127);
  }
}

LaunchedProcesses::~LaunchedProcesses() {
  for (const auto process : running_)
    if (process != 0) {
      ::kill(process, SIGKILL);
      ::waitpid(process, nullptr, 0);
    }
}

bool LaunchedProcesses::wait_for(const std::filesystem::path& file) {
  while (!std::filesystem::exists(file)) {
    int status = 0;
    if (running_.front() == 0) return false;
    if (::waitpid(running_.front(), &status, WNOHANG) != 0) {
      ended(0, status);
      return false;
    }
    ::usleep(1000);
  }
  return true;
}

void LaunchedProcesses::kill(int rank, int signal) const {
  ::kill(running_[static_cast<std::size_t>(rank)], signal);
}

std::vector<ProgramResult> LaunchedProcesses::wait() {
  for (std::size_t rank = 0; rank < running_.size(); ++rank) {
    if (running_[rank] == 0) continue;
    int status = 0;
    ::waitpid(running_[rank], &status, 0);
    ended(rank, status);
  }
  return results_;
}

void LaunchedProcesses::ended(std::size_t rank, int status) {
  running_[rank] = 0;
  results_[rank].exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  results_[rank].out = read_all(files_ / file_of("out", rank));
  results_[rank].err = read_all(files_ / file_of("err", rank));
}

}  // namespace procsim::test
