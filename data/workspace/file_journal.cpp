#include <utility>
#include <vector>

#include "data/base/error.hpp"
#include "data/base/process.hpp"
#include "data/files/delayed_signals.hpp"
#include "data/files/file_changes.hpp"
#include "data/workspace/state.hpp"

namespace procsim {
namespace fs = std::filesystem;
namespace {

// Files of the workspace are noted by their places in it, so that a copy of a workspace undoes what had begun
// in the copy and leaves the other alone.
void note(const Workspace& workspace, Database& database, const std::string& process,
          const std::vector<FileChanges::Step>& steps) {
  const auto noted = [&](const fs::path& path) { return path.empty() ? "" : workspace.stored_path(path); };
  Transaction transaction(database);
  Statement statement(
      database, "INSERT INTO pending_files (process, target, temporary, aside, file) VALUES (?,?,?,?,?)");
  for (const auto& step : steps) {
    statement.bind(process).bind(noted(step.target)).bind(noted(step.temporary)).bind(noted(step.aside));
    statement.bind(step.file).run();
  }
  transaction.commit();
}

// When a flush fails nobody knows whether the records are on the disk. What is written after them takes their
// place. Nothing can be written: false.
bool is_surely_not_recorded(Database& database, int code) {
  if (code != SQLITE_IOERR_FSYNC) return true;
  try {
    Transaction transaction(database);
    tick(database);
    transaction.commit();
    return true;
  } catch (const Error&) {
    return false;
  }
}

void forget(Database& database, const std::string& process) {
  Statement(database, "DELETE FROM pending_files WHERE process = ?").bind(process).run();
}

}  // namespace

void Workspace::put_together(FileChanges& files, const std::function<void()>& puts) {
  const DelayedSignals until_all_is_done;
  auto& database = state_->database;
  const auto process = this_process();
  note(*this, database, process, files.steps());
  int code = SQLITE_OK;
  try {
    Transaction transaction(database);
    puts();
    files.replace();
    forget(database, process);
    try {
      transaction.commit();
    } catch (const Error&) {
      code = sqlite3_extended_errcode(database.handle());
      throw;
    }
  } catch (...) {
    if (!is_surely_not_recorded(database, code)) {
      files.leave();
      throw;
    }
    files.take_back();
    try {
      forget(database, process);
    } catch (const Error&) {  // a full disk: whoever opens the workspace next finds nothing to undo
    }
    throw;
  }
  files.keep();
}

std::size_t undo_interrupted_changes(Database& database) {
  if (database.is_read_only()) return 0;
  {
    Statement any(database, "SELECT 1 FROM pending_files LIMIT 1");
    if (!any.step()) return 0;
  }
  const auto home = database.path().parent_path();
  const auto found = [&](const std::string& path) { return path.empty() ? fs::path() : home / path; };
  // With the lock: whoever changes files holds it meanwhile.
  Transaction transaction(database);
  std::vector<std::pair<std::string, FileChanges::Step>> left;
  {
    Statement all(database,
                  "SELECT process, target, temporary, aside, file FROM pending_files ORDER BY id DESC");
    while (all.step())
      left.push_back(
          {all.text(0), {found(all.text(1)), found(all.text(2)), found(all.text(3)), all.text(4)}});
  }
  std::size_t undone = 0;
  for (const auto& [process, step] : left) {
    if (is_running(process) || !FileChanges::is_possible(step)) continue;
    FileChanges::undo(step);
    ++undone;
  }
  for (const auto& [process, step] : left)
    if (!is_running(process)) forget(database, process);
  transaction.commit();
  return undone;
}

}  // namespace procsim
