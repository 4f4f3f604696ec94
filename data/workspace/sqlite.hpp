#pragma once

// SQLite behind one small class. Included by sources of data/ only.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <sqlite3.h>

namespace procsim {

class Database;

// A prepared statement. Parameters are bound in order, then rows are stepped through.
class Statement {
 public:
  Statement(Database& database, std::string_view sql);

  Statement& bind(std::string_view text);
  Statement& bind(std::int64_t number);
  Statement& bind(double number);
  Statement& bind(const std::optional<std::int64_t>& number);

  bool step();  // true while there is a row
  void run();   // for statements that return nothing; ready to be bound again afterwards

  std::string text(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  bool is_null(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  void check(int code) const;

  Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int bound_ = 0;
};

class Database {
 public:
  // Opens the file, made when it is missing; where its folder cannot be written, for reading only. Throws
  // Error with the path.
  explicit Database(const std::filesystem::path& path);

  bool is_read_only() const { return !why_read_only_.empty(); }
  // Throws Error with the reason where the database cannot be written.
  void require_writable() const;
  // Works on a copy in memory from here on; the file stays as it is. For what is read only but has to be
  // changed before it can be read.
  void continue_in_memory();

  void execute(const std::string& sql);
  std::int64_t last_row() const { return sqlite3_last_insert_rowid(handle_.get()); }
  const std::filesystem::path& path() const { return path_; }
  sqlite3* handle() { return handle_.get(); }
  [[noreturn]] void fail(std::string_view doing) const;

 private:
  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close(handle); }
  };
  std::filesystem::path path_;
  std::string why_read_only_;  // what the system said; empty: it can be written
  std::unique_ptr<sqlite3, Close> handle_;
};

// All or nothing: rolls back unless commit() was reached. Takes the write lock at once, so that what it reads
// stays true. Inside another one it does nothing: the outer one decides.
class Transaction {
 public:
  explicit Transaction(Database& database)
      : database_(database), done_(sqlite3_get_autocommit(database.handle()) == 0) {
    if (!done_) database_.execute("BEGIN IMMEDIATE");
  }
  ~Transaction() {
    if (!done_) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit() {
    if (done_) return;
    database_.execute("COMMIT");
    done_ = true;
  }

 private:
  Database& database_;
  bool done_;
};

}  // namespace procsim
