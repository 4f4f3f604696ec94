#include <map>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/version.hpp"
#include "data/files/atomic_file.hpp"
#include "data/files/file_name.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/validators.hpp"
#include "tools/program/workspace_choice.hpp"
#include "tools/train/commands.hpp"
#include "tools/train/shared/build_commit.hpp"
#include "tools/train/shared/cell_queue.hpp"
#include "tools/train/shared/table_grid.hpp"
#include "tools/train/shared/table_progress.hpp"
#include "tools/train/shared/train_options.hpp"
#include "train/methods/methods.hpp"
#include "train/reports/run_files.hpp"

namespace procsim::tools {
namespace table_command {
namespace {

namespace fs = std::filesystem;

void setup(TableOptions& options) {
  complete_model_folder(options.machine);
  check_words(options);
}

std::string caption_of(const TableGrid& grid) {
  const auto& first = grid.cells.front().config;
  std::string text = fmt::format(
      "{}: preset {}, {} epochs, backbone {}, embedding of {}, batches of {}, {} seed{} (of the labels and "
      "of the training); mean{} in percent after the last epoch; in parentheses the paper's number ({}), of "
      "another budget; – has not run. {}{}.",
      grid.settings.dataset, grid.settings.preset, first.epochs, first.backbone, first.dimension, first.batch,
      grid.seeds, grid.seeds == 1 ? "" : "s", grid.seeds == 1 ? "" : " ± deviation", grid.table.label,
      version(), build_commit().empty() ? "" : fmt::format(", commit {}", build_commit()));
  for (const auto& [field, value] : grid.settings.fields) text += fmt::format(" Set: {}={}.", field, value);
  for (const auto& [row, fields] : grid.settings.row_fields)
    for (const auto& [field, value] : fields) text += fmt::format(" Set: {}@{}={}.", row, field, value);
  return text;
}

fs::path write_results(const TableGrid& grid, const TableOptions& options) {
  auto result =
      result_of(Workspace::open(grid.folder), grid.table, grid.rows, grid.cells, grid.settings.dataset);
  result.caption = caption_of(grid);
  const auto folder = options.output.value_or(tables_folder(grid));
  fs::create_directories(folder);
  const auto stem = folder / fmt::format("{}-{}", grid.table.name, file_stem_of(grid.settings.dataset));
  const auto write = [&](const char* ending, const std::string& text) {
    write_file(stem.string() + ending, text, IfExists::kReplace);
  };
  write(".md", to_markdown(result));
  write(".html", to_html(result));
  write(".csv", to_csv(result));
  write(".tex", to_latex(result));
  return stem;
}

CellRuns runs_now(const TableGrid& grid) { return {Workspace::open(grid.folder), grid.settings.dataset}; }

// The machine that a cell runs on, in words of procsim-train.
std::vector<std::string> machine_words(const train::MachineOptions& machine) {
  std::vector<std::string> words{
      "--models",  machine.model_folder.string(),   "--device",  machine.device,
      "--workers", std::to_string(machine.workers), "--threads", std::to_string(machine.threads)};
  if (!machine.cache_folder.empty()) words.insert(words.end(), {"--cache", machine.cache_folder.string()});
  if (machine.trust_code) words.emplace_back("--trust-code");
  return words;
}

// Trains a cell, or goes on with it where somebody has left it. Empty: done; else the reason.
std::string train_cell(const TableGrid& grid, const TableCell& cell) {
  const auto workspace = Workspace::open(grid.folder);
  std::vector<std::string> words{(program_folder() / "procsim-train").string(), "--workspace",
                                 grid.folder.string()};
  const auto begun = runs_now(grid).find(cell);
  if (begun && fs::exists(train::RunFiles(workspace.resolve(begun->path)).last())) {
    words.insert(words.end(), {"--resume", begun->name});
  } else {
    words.insert(words.end(),
                 {"--name", cell.name(), "--force", "--labels", label_file(workspace, cell.labels).string()});
    for (auto& word : words_of(cell.config)) words.push_back(std::move(word));
  }
  for (auto& word : machine_words(grid.machine)) words.push_back(std::move(word));
  const auto log = tables_folder(grid) / "logs" / (cell.name() + ".log");
  const int code = run_program(words, log);
  if (code != 0) return fmt::format("{} ({})", last_line_of(log), shown(log));
  const auto run = runs_now(grid).find(cell);
  if (!run || run->status != "done")
    return fmt::format("the run is not what the cell asked for ({})", shown(log));
  return {};
}

int run(const TableOptions& options, const GlobalOptions& global) {
  const auto grid = make_grid(options, global);
  for (const auto& reason : grid.left_out) say(global, fmt::format("left out: {}", reason));
  if (grid.cells.empty())
    throw Error("no row of the table can be trained: see what was left out, or --methods");
  if (options.status) {
    print_status(grid, global);
    return 0;
  }
  say(global, line_of(progress_of(grid)));
  std::map<std::string, std::string> failed;
  for (bool took = true; took;) {
    took = false;
    auto runs = runs_now(grid);
    for (const auto& cell : grid.cells) {
      if (failed.contains(cell.key()) || state_of(grid, runs, cell) != CellState::kLeft) continue;
      const auto lock = CellLock::try_take(lock_of(grid, cell));
      if (!lock) continue;
      runs = runs_now(grid);  // somebody may have finished it between the look and the lock
      const auto finished = runs.find(cell);
      if (finished && finished->status == "done") continue;
      took = true;
      const auto what =
          fmt::format("{}, {}, seed {}", grid.rows[cell.row].row, grid.table.noise[cell.noise], cell.seed);
      const auto reason = train_cell(grid, cell);
      if (reason.empty()) {
        say(global, fmt::format("done: {}; {}", what, line_of(progress_of(grid))));
      } else {
        failed[cell.key()] = reason;
        say(global, fmt::format("failed: {}: {}", what, reason));
      }
      write_results(grid, options);
    }
  }
  const auto stem = write_results(grid, options);
  if (global.json)
    print_status(grid, global);
  else
    print_safely("table   {}.md, .html, .csv, .tex\n{}\n", shown(stem), line_of(progress_of(grid)));
  return failed.empty() ? 0 : 1;
}

}  // namespace
}  // namespace table_command

void add_procsim_train_table(Program& program) {
  using namespace table_command;
  auto options = std::make_shared<TableOptions>();
  auto* command = program.add("table", "Run a table of the paper, cell by cell, and write it",
                              "procsim-train table ablation --seeds 3 --budget 10");
  command->add_option("table", options->table, "Which")
      ->required()
      ->check(one_of(train::paper_table_names()));
  command->add_option("--dataset", options->dataset, "Data set of the workspace (default: the current one)");
  command->add_option("--seeds", options->seeds, "Runs of each cell, seeds 1, 2, …")
      ->check(CLI::Range(1, 100));
  command->add_option("--budget", options->epochs, "Epochs of each run (default: the preset's)")
      ->check(CLI::Range(1, 100000))
      ->type_name("EPOCHS");
  command
      ->add_option("--methods", options->methods,
                   "Only these rows; also any method that the table lacks (default: all rows)")
      ->delimiter(',')
      ->check(offering(train::component_names("method")));
  command
      ->add_option("--noise", options->noise,
                   "Only these columns; also a noise that the table lacks: none,uniform-0.5,semantic-0.5")
      ->delimiter(',');
  command->add_option("--preset", options->preset, "How cells are trained (default: the data set's)")
      ->check(one_of(train::preset_names()));
  command->add_option("--backbone", options->backbone, "Network (default: the table's, else the preset's)")
      ->check(offering(train::backbone_names()));
  command
      ->add_option("--set", options->fields,
                   "A setting of every cell: guidance=off; or of those of a row: ms@lr=1e-5")
      ->type_name("[ROW@]FIELD=VALUE");
  command->add_option("--output", options->output, "Folder of the table (default: in the workspace)")
      ->type_name("DIR")
      ->check(written_here());
  command->add_flag("--status", options->status, "Show what is done, running and left, and train nothing");
  add_machine_options(command, options->machine);
  program.on(command, options, setup, run);
}

}  // namespace procsim::tools
