#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "data/files/atomic_file.hpp"

namespace procsim {

// Writes a wide or long Parquet table piece by piece, a row group each, so that memory does not grow with its
// rows: for tables too large for data/table.hpp. The file appears when it is complete.
class TableWriter {
 public:
  // kCounter: int32 that counts up along the rows, stored as differences (a few bits each).
  enum class Type { kInt32, kCounter, kDouble, kText };
  struct Column {
    std::string name;
    Type type = Type::kInt32;
  };
  using Values =
      std::variant<std::span<const std::int32_t>, std::span<const double>, std::span<const std::string>>;

  TableWriter(const std::filesystem::path& path, IfExists if_exists, const std::vector<Column>& columns);
  ~TableWriter();
  TableWriter(const TableWriter&) = delete;
  TableWriter& operator=(const TableWriter&) = delete;

  // Values for each column in order, all of one length and of the columns' types.
  void append(std::span<const Values> columns);
  // Adds one entry to the file's metadata; the file appears now. Returns its SHA-256.
  std::string finish(const std::string& key, const std::string& value);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace procsim
