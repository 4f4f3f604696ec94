#include "data/workspace/workspace.hpp"

#include <cstdlib>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "data/base/error.hpp"
#include "data/workspace/schema.hpp"
#include "data/workspace/state.hpp"

namespace procsim {
namespace fs = std::filesystem;
namespace {

constexpr const char* kHomeName = ".procsim";
constexpr const char* kDatabaseName = "workspace.db";

// SQLite takes an empty file for a new database. False when it was there, or cannot be made, which SQLite
// then says.
bool make_empty(const fs::path& file) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) return false;
  ::close(descriptor);
  return true;
}

// With the folders that it leaves empty.
void remove_database(const fs::path& home) {
  std::error_code ignored;
  for (const char* end : {"-wal", "-shm", ""}) fs::remove(home / (std::string(kDatabaseName) + end), ignored);
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(home, ignored)) {
    if (entry.is_directory(ignored)) folders.push_back(entry.path());
  }
  folders.push_back(home);
  for (const auto& folder : folders) {
    if (fs::is_empty(folder, ignored)) fs::remove(folder, ignored);
  }
}

}  // namespace

fs::path kept_path(const fs::path& path, std::string_view digest) {
  return path.parent_path() /
         fmt::format("{}-{}{}", path.stem().string(), digest.substr(0, 8), path.extension().string());
}

Workspace::State::State(fs::path folder, bool made_now)
    : home(std::move(folder)), is_new(made_now), database(home / kDatabaseName) {
  database.execute("PRAGMA foreign_keys = ON");
  migrate(database);
  if (!database.is_read_only()) database.execute("PRAGMA journal_mode = WAL");
  undo_interrupted_changes(database);
}

std::int64_t tick(Database& database) {
  database.execute("UPDATE clock SET ticks = ticks + 1");
  Statement statement(database, "SELECT ticks FROM clock");
  statement.step();
  return statement.integer(0);
}

void move_replaced(Database& database, std::string_view table, const std::string& path,
                   const std::string& digest) {
  std::vector<std::pair<std::int64_t, std::string>> replaced;
  Statement others(database, fmt::format("SELECT id, digest FROM {} WHERE path = ? AND digest <> ?", table));
  others.bind(path).bind(digest);
  while (others.step()) replaced.emplace_back(others.integer(0), others.text(1));
  Statement move(database, fmt::format("UPDATE OR IGNORE {} SET path = ? WHERE id = ?", table));
  for (const auto& [id, old_digest] : replaced)
    move.bind(kept_path(path, old_digest).string()).bind(id).run();
}

std::string joined(std::initializer_list<std::string_view> pieces) {
  std::string text;
  for (const auto piece : pieces) text += piece;
  return text;
}

std::int64_t returned_id(Statement& statement) {
  statement.step();
  const auto id = statement.integer(0);
  statement.step();
  return id;
}

Workspace::Workspace(std::unique_ptr<State> state) : state_(std::move(state)) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;

std::optional<fs::path> Workspace::find(const std::optional<fs::path>& explicit_folder) {
  if (explicit_folder) return explicit_folder;
  if (const char* folder = std::getenv("PROCSIM_WORKSPACE"); folder != nullptr && *folder != '\0')
    return folder;
  for (auto folder = fs::current_path();; folder = folder.parent_path()) {
    if (exists_in(folder)) return folder;
    if (folder == folder.parent_path()) return std::nullopt;
  }
}

fs::path Workspace::home_in(const fs::path& folder) { return fs::absolute(folder) / kHomeName; }

bool Workspace::exists_in(const fs::path& folder) { return fs::exists(home_in(folder) / kDatabaseName); }

Workspace Workspace::open(const fs::path& folder) {
  if (!exists_in(folder)) {
    throw Error(fmt::format("{} holds no workspace (no {}/{}). Make one with 'taxo build <data set>'.",
                            folder.string(), kHomeName, kDatabaseName));
  }
  return Workspace(std::make_unique<State>(home_in(folder)));
}

Workspace Workspace::open_or_create(const fs::path& folder) {
  const auto home = home_in(folder);
  std::error_code code;
  fs::create_directories(home, code);
  if (code) throw Error(fmt::format("cannot create folder {}: {}", home.string(), code.message()));
  const bool is_new = make_empty(home / kDatabaseName);
  try {
    return Workspace(std::make_unique<State>(home, is_new));
  } catch (...) {
    if (is_new) remove_database(home);
    throw;
  }
}

bool Workspace::is_new() const { return state_->is_new; }

void Workspace::discard_unused() {
  const Transaction lock(state_->database);
  if (!current_dataset()) remove_database(state_->home);
}

bool Workspace::is_writable() const { return !state_->database.is_read_only(); }

void Workspace::require_writable() const { state_->database.require_writable(); }

const fs::path& Workspace::home() const { return state_->home; }

fs::path Workspace::resolve(std::string_view stored_path) const { return state_->home / stored_path; }

std::string Workspace::stored_path(const fs::path& path) const {
  const auto absolute = fs::absolute(path).lexically_normal();
  const auto relative = absolute.lexically_relative(state_->home.lexically_normal());
  const bool is_inside = !relative.empty() && *relative.begin() != "..";
  return is_inside ? relative.string() : absolute.string();
}

void Workspace::put_together(const std::function<void()>& puts) {
  Transaction transaction(state_->database);
  puts();
  transaction.commit();
}

}  // namespace procsim
