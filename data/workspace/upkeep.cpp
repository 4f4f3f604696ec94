#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/process.hpp"
#include "data/files/leftovers.hpp"
#include "data/workspace/state.hpp"

namespace procsim {
namespace fs = std::filesystem;
namespace {

constexpr const char* kDatabase = "workspace.db";

bool is_database(const fs::path& file) { return file.filename().string().starts_with(kDatabase); }

// Everything in `from` but the database and what is not finished. Files are replaced, never changed, so a
// second name for one is as good as a copy while nobody gives it away.
void link_all(const fs::path& from, const fs::path& to) {
  for (const auto& entry : fs::directory_iterator(from)) {
    const auto name = entry.path().filename();
    if (name.string().ends_with(".tmp") || is_database(name)) continue;
    if (entry.is_directory() && !entry.is_symlink()) {
      fs::create_directories(to / name);
      link_all(entry.path(), to / name);
    } else if (entry.is_regular_file() && !entry.is_symlink()) {
      std::error_code code;
      fs::create_hard_link(entry.path(), to / name, code);
      if (code) fs::copy_file(entry.path(), to / name);
    }
  }
}

struct Staging {
  fs::path folder;
  explicit Staging(const fs::path& home) : folder(temporary_beside(home / "backup")) {
    fs::create_directories(folder);
  }
  ~Staging() {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
};

void copy_database(Database& from, const fs::path& to) {
  Database copy(to);
  auto* backup = sqlite3_backup_init(copy.handle(), "main", from.handle(), "main");
  if (backup == nullptr) copy.fail("write");
  sqlite3_backup_step(backup, -1);
  if (sqlite3_backup_finish(backup) != SQLITE_OK) copy.fail("write");
  copy.execute("DELETE FROM pending_files");  // what others are about to change is not changed in the copy
}

}  // namespace

std::vector<std::string> Workspace::damage() const {
  std::vector<std::string> found;
  Statement integrity(state_->database, "PRAGMA integrity_check(20)");
  while (integrity.step())
    if (integrity.text(0) != "ok") found.push_back(integrity.text(0));
  Statement keys(state_->database, "PRAGMA foreign_key_check");
  while (keys.step())
    found.push_back(
        fmt::format("a row of {} names a row of {} that is not there", keys.text(0), keys.text(2)));
  return found;
}

std::vector<RecordedFile> Workspace::recorded_files() const {
  Statement statement(state_->database,
                      "SELECT 'taxonomy', dataset, path, digest FROM taxonomies UNION ALL "
                      "SELECT 'label set', summary, path, digest FROM label_sets UNION ALL "
                      "SELECT 'scores', name, path, digest FROM scores UNION ALL "
                      "SELECT 'run', name, path, '' FROM runs");
  return all_of(statement, [](const Statement& row) {
    return RecordedFile{row.text(0), row.text(1), row.text(2), row.text(3)};
  });
}

std::vector<std::string> Workspace::mark_interrupted_runs() {
  Transaction transaction(state_->database);
  std::vector<std::string> names;
  std::vector<std::int64_t> ids;
  {
    Statement running(state_->database, "SELECT id, name, process FROM runs WHERE status = 'running'");
    while (running.step()) {
      if (is_running(running.text(2))) continue;
      ids.push_back(running.integer(0));
      names.push_back(running.text(1));
    }
  }
  Statement mark(state_->database, "UPDATE runs SET status = 'interrupted' WHERE id = ?");
  for (const auto id : ids) mark.bind(id).run();
  transaction.commit();
  return names;
}

void Workspace::back_up(const fs::path& folder) {
  const auto target = home_in(folder);
  if (fs::exists(target))
    throw Error(fmt::format("{} already exists. Give a folder without a workspace.", target.string()));
  require_writable();  // for second names of its files
  const Staging staging(state_->home);
  {
    const Transaction lock(state_->database);  // nobody replaces a file meanwhile
    link_all(state_->home, staging.folder);
    // On a connection of its own: ours is inside a transaction.
    Database reader(state_->database.path());
    copy_database(reader, staging.folder / kDatabase);
  }
  std::error_code code;
  fs::create_directories(target.parent_path(), code);
  const auto unfinished = temporary_beside(target);
  if (!code) fs::copy(staging.folder, unfinished, fs::copy_options::recursive, code);
  if (!code) fs::rename(unfinished, target, code);
  if (!code) return;
  const auto why = code.message();
  fs::remove_all(unfinished, code);
  throw Error(fmt::format("cannot write {}: {}", target.string(), why));
}

}  // namespace procsim
