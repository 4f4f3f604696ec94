#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "data/files/atomic_file.hpp"

namespace procsim {

// A small table in memory, for the side files that have no format of their own: distance matrices, noise
// matrices, resolution tables, embeddings made elsewhere. Label sets and scores have their own readers that
// stream.
struct TableColumn {
  // A list column holds `width` numbers a row (a fixed-size list in Parquet), row after row.
  struct FloatLists {
    std::int64_t width = 0;
    std::vector<float> values;
  };
  using Values = std::variant<std::vector<std::int32_t>, std::vector<std::int64_t>, std::vector<double>,
                              std::vector<std::string>, FloatLists>;
  std::string name;
  Values values;

  std::int64_t rows() const;
};

struct Table {
  std::vector<TableColumn> columns;
  std::map<std::string, std::string> metadata;

  std::int64_t rows() const { return columns.empty() ? 0 : columns.front().rows(); }
  const TableColumn* find(std::string_view name) const;  // nullptr when there is none
};

// Integers come back as int64 (int32 stays), floats as double, text as string, lists of numbers as
// FloatLists. A folder is the rows of its parts, in the order of their names, with the columns and metadata
// of the first; all parts must have these columns. Throws Error naming file and column for other types, and
// the row too, with its sample where there is a column sample_id, for nulls and lists of unequal length.
Table read_parquet_table(const std::filesystem::path& path);
void write_parquet_table(const std::filesystem::path& path, const Table& table, IfExists if_exists);

// A CSV or TSV file (by its content's first line), quotes as in RFC 4180, first line = column names, all
// columns text. Throws Error with the line for a row of the wrong width or an open quote.
Table read_csv_table(const std::filesystem::path& path);

// By its first bytes; false for a folder and for what cannot be read.
bool is_parquet(const std::filesystem::path& path);
// Either kind, told apart by its content.
Table read_table(const std::filesystem::path& path);

// One field as CSV wants it, quoted where needed.
std::string csv_field(std::string_view text);

// CSV that a spreadsheet may open whoever named the classes and files: fields that it would take for a
// formula (they begin with = + - @, a tab or a line's end, and are no number) get an apostrophe in front.
std::string without_formulas(std::string_view csv);

}  // namespace procsim
