#include "data/workspace/sqlite.hpp"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

#include "data/base/error.hpp"

namespace procsim {

namespace {

// What the system says against writing the database, which takes its folder too; empty when nothing.
std::string why_read_only(const std::filesystem::path& path) {
  const auto says_no = [](const std::filesystem::path& what) {
    return ::access(what.c_str(), W_OK) != 0 && (errno == EACCES || errno == EROFS || errno == EPERM);
  };
  return says_no(path.parent_path()) || says_no(path) ? std::strerror(errno) : "";
}

// How SQLite is told to write nothing. A log of changes beside the database belongs to somebody who may
// write: it is read with it. Without one the file is all there is, and SQLite must be told so, since it would
// make a log even to read.
std::string read_only_uri(const std::filesystem::path& path) {
  std::string uri = "file:";
  for (const unsigned char byte : std::filesystem::absolute(path).string()) {
    const bool is_plain = byte != '%' && byte != '?' && byte != '#';
    uri += is_plain ? std::string(1, static_cast<char>(byte)) : fmt::format("%{:02X}", byte);
  }
  return uri + (std::filesystem::exists(path.string() + "-wal") ? "?mode=ro" : "?immutable=1");
}

// SQLite takes a file that ends within its header for a new database.
void require_whole_header(const std::filesystem::path& path) {
  constexpr std::uintmax_t kHeader = 100;
  std::error_code code;
  const auto size = std::filesystem::file_size(path, code);
  if (code || size == 0 || size >= kHeader) return;
  throw Error(fmt::format("{} is damaged: {} bytes are left of it. Restore it from a copy, or move it away.",
                          path.string(), size));
}

}  // namespace

Database::Database(const std::filesystem::path& path) : path_(path), why_read_only_(why_read_only(path)) {
  require_whole_header(path);
  sqlite3* handle = nullptr;
  const int code = is_read_only() ? sqlite3_open_v2(read_only_uri(path).c_str(), &handle,
                                                    SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr)
                                  : sqlite3_open_v2(path.c_str(), &handle,
                                                    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) fail("open");
  sqlite3_busy_timeout(handle, 60'000);
}

void Database::require_writable() const {
  if (!is_read_only()) return;
  throw Error(fmt::format(
      "cannot write to the folder {}: {}. Make it writable, or give another one with --workspace.",
      path_.parent_path().string(), why_read_only_));
}

void Database::continue_in_memory() {
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  std::unique_ptr<sqlite3, Close> memory(handle);
  auto* copy = code == SQLITE_OK ? sqlite3_backup_init(handle, "main", handle_.get(), "main") : nullptr;
  if (copy == nullptr) fail("copy");
  sqlite3_backup_step(copy, -1);
  if (sqlite3_backup_finish(copy) != SQLITE_OK) fail("copy");
  handle_ = std::move(memory);
  execute("PRAGMA foreign_keys = ON");
}

void Database::fail(std::string_view doing) const {
  // Also where there is none yet: it cannot be made.
  if (sqlite3_errcode(handle_.get()) == SQLITE_READONLY || !std::filesystem::exists(path_))
    require_writable();
  throw Error(fmt::format("cannot {} the database {}: {}", doing, path_.string(),
                          handle_ ? sqlite3_errmsg(handle_.get()) : "out of memory"));
}

void Database::execute(const std::string& sql) {
  if (sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail("use");
}

Statement::Statement(Database& database, std::string_view sql) : database_(&database) {
  sqlite3_stmt* statement = nullptr;
  const int code =
      sqlite3_prepare_v2(database.handle(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  statement_.reset(statement);
  check(code);
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) database_->fail("use");
}

Statement& Statement::bind(std::string_view text) {
  check(sqlite3_bind_text64(statement_.get(), ++bound_, text.data() != nullptr ? text.data() : "",
                            text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind(std::int64_t number) {
  check(sqlite3_bind_int64(statement_.get(), ++bound_, number));
  return *this;
}

Statement& Statement::bind(double number) {
  check(sqlite3_bind_double(statement_.get(), ++bound_, number));
  return *this;
}

Statement& Statement::bind(const std::optional<std::int64_t>& number) {
  if (number) return bind(*number);
  check(sqlite3_bind_null(statement_.get(), ++bound_));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_->fail("use");
  return false;
}

void Statement::run() {
  step();
  check(sqlite3_reset(statement_.get()));
  bound_ = 0;
}

std::string Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  const auto length = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return bytes != nullptr ? std::string(bytes, length) : std::string{};
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }

double Statement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

}  // namespace procsim
