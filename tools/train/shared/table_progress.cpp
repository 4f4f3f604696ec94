#include "tools/train/shared/table_progress.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/program/print_safely.hpp"
#include "tools/train/shared/cell_queue.hpp"
#include "train/reports/run_files.hpp"

namespace procsim::tools {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

// Between the first file of a run and the last.
std::optional<double> seconds_of(const Workspace& workspace, const RunRecord& run) {
  const train::RunFiles files(workspace.resolve(run.path));
  std::error_code missing;
  const auto from = fs::last_write_time(files.config(), missing);
  if (missing) return std::nullopt;
  const auto to = fs::last_write_time(files.scores(), missing);
  if (missing) return std::nullopt;
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

fs::path lock_of(const TableGrid& grid, const TableCell& cell) {
  return tables_folder(grid) / "locks" / (cell.key() + ".lock");
}

CellState state_of(const TableGrid& grid, const CellRuns& runs, const TableCell& cell) {
  const auto run = runs.find(cell);
  if (run && run->status == "done") return CellState::kDone;
  return CellLock::is_taken(lock_of(grid, cell)) ? CellState::kRunning : CellState::kLeft;
}

TableProgress progress_of(const TableGrid& grid) {
  const auto workspace = Workspace::open(grid.folder);
  const CellRuns runs(workspace, grid.settings.dataset);
  TableProgress progress;
  progress.done_of.assign(grid.rows.size(), std::vector<std::size_t>(grid.table.noise.size(), 0));
  progress.running_of = progress.done_of;
  std::vector<double> seconds;
  for (const auto& cell : grid.cells) {
    switch (state_of(grid, runs, cell)) {
      case CellState::kDone:
        ++progress.done;
        ++progress.done_of[cell.row][cell.noise];
        if (const auto took = seconds_of(workspace, *runs.find(cell))) seconds.push_back(*took);
        break;
      case CellState::kRunning:
        ++progress.running;
        ++progress.running_of[cell.row][cell.noise];
        break;
      case CellState::kLeft:
        ++progress.left;
        break;
    }
  }
  if (!seconds.empty()) progress.seconds_a_cell = train::mean_of(seconds);
  return progress;
}

std::string line_of(const TableProgress& progress) {
  auto line =
      fmt::format("{} cells done, {} running, {} left", progress.done, progress.running, progress.left);
  if (progress.seconds_a_cell)
    line += fmt::format(
        "; {:.0f} s a cell, about {:.0f} min left for one process", *progress.seconds_a_cell,
        std::ceil(*progress.seconds_a_cell * static_cast<double>(progress.left + progress.running) / 60));
  return line;
}

void print_status(const TableGrid& grid, const GlobalOptions& global) {
  const auto progress = progress_of(grid);
  if (global.json) {
    ordered_json json{
        {"table", grid.table.name},
        {"dataset", grid.settings.dataset},
        {"done", progress.done},
        {"running", progress.running},
        {"left", progress.left},
        {"seconds_a_cell", progress.seconds_a_cell ? ordered_json(*progress.seconds_a_cell) : ordered_json()},
        {"cells", ordered_json::array()}};
    const CellRuns runs(Workspace::open(grid.folder), grid.settings.dataset);
    for (const auto& cell : grid.cells) {
      const auto run = runs.find(cell);
      json["cells"].push_back({{"row", grid.rows[cell.row].row},
                               {"noise", grid.table.noise[cell.noise]},
                               {"seed", cell.seed},
                               {"run", run ? ordered_json(run->name) : ordered_json()},
                               {"status", run ? run->status : "left"}});
    }
    fmt::print("{}\n", json.dump());
    return;
  }
  std::size_t width = 0;
  for (const auto& row : grid.rows) width = std::max(width, row.row.size());
  print_safely("{:<{}}", "", width);
  for (const auto& noise : grid.table.noise) print_safely("  {:>13}", noise);
  print_safely("\n");
  for (std::size_t r = 0; r < grid.rows.size(); ++r) {
    print_safely("{:<{}}", grid.rows[r].row, width);
    for (std::size_t n = 0; n < grid.table.noise.size(); ++n) {
      const auto running = progress.running_of[r][n];
      print_safely("  {:>13}", grid.rows[r].method.empty()
                                   ? "quoted"
                                   : fmt::format("{}/{}{}", progress.done_of[r][n], grid.seeds,
                                                 running > 0 ? fmt::format(" +{} running", running) : ""));
    }
    print_safely("\n");
  }
  print_safely("{}\n", line_of(progress));
}

}  // namespace procsim::tools
