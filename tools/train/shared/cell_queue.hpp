#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace procsim::tools {

// A piece of work that one process at a time may do, of all that share the folder. The system keeps the lock:
// it is free again when the process that took it, and a program that it started, have ended, however they
// did.
class CellLock {
 public:
  // None: somebody else has it. The file stays. Throws Error where it cannot be made.
  static std::optional<CellLock> try_take(const std::filesystem::path& file);
  // Waits until it is free.
  static CellLock take(const std::filesystem::path& file);
  // Whether somebody has it, without touching it.
  static bool is_taken(const std::filesystem::path& file);

  ~CellLock();
  CellLock(CellLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  CellLock& operator=(CellLock&&) = delete;

 private:
  explicit CellLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;  // programs that are started inherit it
};

// Runs a program of ours to its end with its output in `log`, and returns its exit code (128 and the signal
// that ended it). If this process ends first, the program is asked to stop and saves.
int run_program(const std::vector<std::string>& words, const std::filesystem::path& log);
// What it said last.
std::string last_line_of(const std::filesystem::path& log);

}  // namespace procsim::tools
