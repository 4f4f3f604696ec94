#include "data/sqlite.hpp"

#include <fmt/format.h>

#include "data/error.hpp"

namespace procsim {

Database::Database(const std::filesystem::path& path) : path_(path) {
  sqlite3* handle = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) fail("open");
  sqlite3_busy_timeout(handle, 60'000);
}

void Database::fail(std::string_view doing) const {
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
