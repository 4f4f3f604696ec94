#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tools/program/program.hpp"
#include "tools/train/shared/table_cells.hpp"
#include "train/reports/paper_tables.hpp"
#include "train/settings/machine.hpp"

namespace procsim::tools {

// Which table somebody wants, in the words of the command line.
struct TableOptions {
  std::string table;
  std::optional<std::string> dataset;
  std::int64_t seeds = 1;
  std::optional<std::int64_t> epochs;
  std::vector<std::string> methods;
  std::vector<std::string> noise;  // as given; empty: the table's
  std::string preset;
  std::string backbone;
  std::vector<std::string> fields;
  std::optional<std::filesystem::path> output;
  bool status = false;
  train::MachineOptions machine;
};

// Everything that the command works on.
struct TableGrid {
  train::PaperTable table;
  TableSettings settings;
  std::vector<train::PaperRow> rows;
  std::vector<TableCell> cells;
  std::vector<std::string> left_out;  // rows that do not go with what was set, with the reason
  std::filesystem::path folder;       // that holds .procsim
  std::filesystem::path home;
  std::filesystem::path root;
  std::int64_t seeds = 1;
  train::MachineOptions machine;
};

// Throws UsageError for what was set that goes with no row, or not with the row that it was set for.
void check_words(const TableOptions& options);

// The cells with the labels that they are trained on, which 'noise inject' makes where they are not there yet
// (with --status they are left without a digest).
TableGrid make_grid(const TableOptions& options, const GlobalOptions& global);

// Where logs, locks and tables lie.
std::filesystem::path tables_folder(const TableGrid& grid);

}  // namespace procsim::tools
