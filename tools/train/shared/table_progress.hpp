#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tools/program/program.hpp"
#include "tools/train/shared/table_grid.hpp"

namespace procsim::tools {

enum class CellState { kLeft, kRunning, kDone };

// Whose process trains a cell.
std::filesystem::path lock_of(const TableGrid& grid, const TableCell& cell);

CellState state_of(const TableGrid& grid, const CellRuns& runs, const TableCell& cell);

struct TableProgress {
  std::size_t done = 0, running = 0, left = 0;
  std::optional<double> seconds_a_cell;
  std::vector<std::vector<std::size_t>> done_of, running_of;  // row, noise
};

TableProgress progress_of(const TableGrid& grid);

// "3 cells done, 1 running, 8 left; 40 s a cell, about 6 min left for one process"
std::string line_of(const TableProgress& progress);

// Rows and columns with what is done of them; with --json cell by cell.
void print_status(const TableGrid& grid, const GlobalOptions& global);

}  // namespace procsim::tools
