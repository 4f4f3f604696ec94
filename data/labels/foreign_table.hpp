#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/files/table.hpp"
#include "data/labels/label_set.hpp"

namespace procsim {

// Tables that people bring: CSV, TSV or Parquet, told apart by the file's first bytes, with columns under one
// of several usual names.
class ForeignTable {
 public:
  explicit ForeignTable(const std::filesystem::path& file);

  std::int64_t rows() const { return table_.rows(); }
  const Table& table() const { return table_; }
  // The first of these columns that is there; nullptr when none is.
  const TableColumn* find(std::initializer_list<std::string_view> names) const;
  // The same, or Error naming the file and the columns it has.
  const TableColumn& require(std::initializer_list<std::string_view> names) const;

  // One value as text, whole number or number. Throws Error with the file, row and column when it is none.
  std::string text(const TableColumn& column, std::int64_t row) const;
  std::int64_t integer(const TableColumn& column, std::int64_t row) const;
  double number(const TableColumn& column, std::int64_t row) const;
  // A class by its number, name or published name.
  std::int32_t label(const TableColumn& column, std::int64_t row, const LabelSetInfo& classes) const;

  std::string place(const TableColumn& column, std::int64_t row) const;  // "file, row 3, column 'x'"

 private:
  std::filesystem::path file_;
  Table table_;
};

}  // namespace procsim
