#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"
#include "data/base/suggest.hpp"
#include "data/base/version.hpp"
#include "data/base/words.hpp"
#include "data/files/atomic_file.hpp"
#include "data/files/file_name.hpp"
#include "tools/program/print_safely.hpp"
#include "tools/program/validators.hpp"
#include "tools/program/workspace_choice.hpp"
#include "tools/train/commands.hpp"
#include "tools/train/shared/build_commit.hpp"
#include "tools/train/shared/cell_queue.hpp"
#include "tools/train/shared/table_cells.hpp"
#include "tools/train/shared/train_options.hpp"
#include "train/methods/methods.hpp"
#include "train/reports/run_files.hpp"
#include "train/samples/train_data.hpp"

namespace procsim::tools {
namespace table_command {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct Options {
  std::string table;
  std::optional<std::string> dataset;
  std::int64_t seeds = 1;
  std::optional<std::int64_t> epochs;
  std::vector<std::string> methods;
  std::vector<std::string> noise;  // as given; empty: the table's
  std::string preset;
  std::string backbone;
  std::vector<std::string> fields;
  std::optional<fs::path> output;
  bool status = false;
  train::MachineOptions machine;
};

// Everything that the command works on.
struct Grid {
  train::PaperTable table;
  TableSettings settings;
  std::vector<train::PaperRow> rows;
  std::vector<TableCell> cells;
  std::vector<std::string> left_out;  // rows that do not go with what was set, with the reason
  fs::path folder;                    // that holds .procsim
  fs::path home;
  fs::path root;
  std::int64_t seeds = 1;
  train::MachineOptions machine;
};

// Puts what --set says into the settings, for every cell or for those of a row.
void take_fields(TableSettings& settings, const Options& options, const std::vector<train::PaperRow>& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.push_back(row.row);
  for (const auto& text : options.fields) {
    const auto sign = text.find('=');
    const auto at = text.substr(0, sign).find('@');
    const auto begin = at == std::string::npos ? 0 : at + 1;
    if (sign == std::string::npos || sign == begin || at == 0)
      throw UsageError(fmt::format(
          "--set {}: write field=value, such as guidance=off, or row@field=value, such as ms@lr=1e-5", text));
    auto field = text.substr(begin, sign - begin);
    std::replace(field.begin(), field.end(), '-', '_');
    if (field == "seed" || field == "method" || field == "preset")
      throw UsageError(
          fmt::format("--set {}: the table decides that itself (--seeds, --methods, --preset)", text));
    if (at == std::string::npos) {
      settings.fields[field] = text.substr(sign + 1);
      continue;
    }
    const auto row = text.substr(0, at);
    if (std::find(names.begin(), names.end(), row) == names.end())
      throw UsageError(
          fmt::format("--set {}: the table has no row '{}'{}", text, row, did_you_mean(row, names)));
    settings.row_fields[row][field] = text.substr(sign + 1);
  }
}

train::PaperTable table_of(const Options& options) {
  auto table = train::paper_table(options.table);
  if (options.noise.empty()) return table;
  std::vector<std::string> columns;
  for (const auto& text : options.noise)
    if (auto column = train::noise_column(text);
        std::find(columns.begin(), columns.end(), column) == columns.end())
      columns.push_back(std::move(column));
  return table.with_noise(columns);
}

void setup(Options& options) {
  const auto table = table_of(options);
  complete_model_folder(options.machine);
  const auto rows = chosen_rows(table, options.methods);
  TableSettings settings{.dataset = "",
                         .preset = options.preset.empty() ? "default" : options.preset,
                         .epochs = options.epochs,
                         .backbone = options.backbone,
                         .models = options.machine.model_folder,
                         .classes = 1000,
                         .fields = {}};
  take_fields(settings, options, rows);
  // What is wrong with every row is wrong with the words, and so is what was set for one that does not take
  // it.
  std::optional<UsageError> wrong;
  for (const auto& row : rows)
    if (settings.row_fields.contains(row.row) && !row.method.empty() && row.lacks.empty())
      row_config(table, row, settings);
  for (const auto& row : rows) {
    if (row.method.empty() || !row.lacks.empty()) continue;
    try {
      row_config(table, row, settings);
      return;
    } catch (const UsageError& error) {
      wrong = error;
    }
  }
  if (wrong) throw UsageError(*wrong);
}

fs::path tables_folder(const Grid& grid) { return grid.home / "tables"; }

std::string last_line_of(const fs::path& log) {
  const auto text = read_file(log);
  std::string last;
  for (const auto line : split_lines(text))
    if (!trimmed(line).empty()) last = std::string(trimmed(line));
  return last;
}

enum class MissingLabels { kMake, kLeave };

// The labels of a column: the data set's own, or those with the noise drawn by the cell's seed. Where they
// are not there yet, 'noise inject' makes them, or they are left without a digest.
LabelSetRecord labels_for(const Grid& grid, const LabelSetRecord& base, const std::string& noise,
                          std::uint64_t seed, MissingLabels missing) {
  if (noise == "none") return base;
  const auto words = split_words(noise);
  const auto stem =
      fmt::format("{}-table-{}-{}-seed{}", file_stem_of(base.dataset), words[0], words[1], seed);
  const auto file = grid.home / "labels" / (stem + ".parquet");
  const auto known = [&]() -> std::optional<LabelSetRecord> {
    const auto workspace = Workspace::open(grid.folder);
    for (const auto& set : workspace.label_sets(base.dataset))
      if (set.path == workspace.stored_path(file) && fs::exists(file)) return set;
    return std::nullopt;
  };
  if (const auto set = known()) return *set;
  if (missing == MissingLabels::kLeave) return {};
  const auto alone = CellLock::take(tables_folder(grid) / "locks" / "labels.lock");
  if (const auto set = known()) return *set;
  const auto log = tables_folder(grid) / "logs" / (stem + ".log");
  const auto parent = label_file(Workspace::open(grid.folder), base);
  const int code =
      run_program({(program_folder() / "noise").string(), "inject", "--workspace", grid.folder.string(),
                   "--labels", parent.string(), fmt::format("--{}", words[0]), std::string(words[1]),
                   "--seed", std::to_string(seed), "--output", file.string(), "--force"},
                  log);
  const auto set = known();
  if (code != 0 || !set) throw Error(fmt::format("no labels with {} noise: {}", noise, last_line_of(log)));
  return *set;
}

Grid make_grid(const Options& options, const GlobalOptions& global) {
  const auto workspace = open_workspace(global);
  if (!options.status) workspace.require_writable();
  const auto dataset = options.dataset ? *workspace.dataset(chosen_dataset(workspace, options.dataset))
                                       : require_dataset(workspace);
  Grid grid{.table = table_of(options),
            .settings = {.dataset = dataset.name,
                         .preset = options.preset.empty() ? train::preset_for_dataset(dataset.name)
                                                          : options.preset,
                         .epochs = options.epochs,
                         .backbone = options.backbone,
                         .models = options.machine.model_folder,
                         .fields = {}},
            .rows = {},
            .cells = {},
            .left_out = {},
            .folder = workspace.home().parent_path(),
            .home = workspace.home(),
            .root = dataset.root,
            .seeds = options.seeds,
            .machine = options.machine};
  const auto rows = chosen_rows(grid.table, options.methods);
  take_fields(grid.settings, options, rows);
  const auto base = require_labels(global, workspace, dataset.name, "base");
  const auto data = train::load_train_data(label_file(workspace, base), dataset.root);
  grid.settings.classes = static_cast<std::int64_t>(data.classes.size());
  std::vector<std::pair<std::size_t, train::TrainConfig>> configs;
  for (const auto& row : rows) {
    if (!row.lacks.empty()) {
      grid.left_out.push_back(fmt::format("{}: it needs {}", row.row, row.lacks));
    } else if (!row.method.empty()) {
      try {
        configs.emplace_back(grid.rows.size(), row_config(grid.table, row, grid.settings));
      } catch (const UsageError& error) {
        grid.left_out.push_back(fmt::format("{}: {}", row.row, error.what()));
      }
    }
    grid.rows.push_back(row);
  }
  const auto missing = options.status ? MissingLabels::kLeave : MissingLabels::kMake;
  // Seed by seed, so that a whole table is there early.
  for (std::int64_t seed = 1; seed <= options.seeds; ++seed)
    for (std::size_t n = 0; n < grid.table.noise.size(); ++n) {
      const auto labels =
          labels_for(grid, base, grid.table.noise[n], static_cast<std::uint64_t>(seed), missing);
      for (auto& [row, config] : configs) {
        config.seed = static_cast<std::uint64_t>(seed);
        grid.cells.push_back({row, n, config.seed, config, labels});
      }
    }
  return grid;
}

std::string caption_of(const Grid& grid) {
  const auto& first = grid.cells.front().config;
  std::string text = fmt::format(
      "{}: preset {}, {} epochs, backbone {}, embedding of {}, batches of {}, {} seed{} (of the labels and "
      "of "
      "the training); mean{} in percent after the last epoch; in parentheses the paper's number ({}), of "
      "another budget; – has not run. {}{}.",
      grid.settings.dataset, grid.settings.preset, first.epochs, first.backbone, first.dimension, first.batch,
      grid.seeds, grid.seeds == 1 ? "" : "s", grid.seeds == 1 ? "" : " ± deviation", grid.table.label,
      version(), build_commit().empty() ? "" : fmt::format(", commit {}", build_commit()));
  for (const auto& [field, value] : grid.settings.fields) text += fmt::format(" Set: {}={}.", field, value);
  for (const auto& [row, fields] : grid.settings.row_fields)
    for (const auto& [field, value] : fields) text += fmt::format(" Set: {}@{}={}.", row, field, value);
  return text;
}

fs::path write_results(const Grid& grid, const Options& options) {
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

enum class CellState { kLeft, kRunning, kDone };

fs::path lock_of(const Grid& grid, const TableCell& cell) {
  return tables_folder(grid) / "locks" / (cell.key() + ".lock");
}

CellState state_of(const Grid& grid, const CellRuns& runs, const TableCell& cell) {
  const auto run = runs.find(cell);
  if (run && run->status == "done") return CellState::kDone;
  return CellLock::is_taken(lock_of(grid, cell)) ? CellState::kRunning : CellState::kLeft;
}

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

struct GridProgress {
  std::size_t done = 0, running = 0, left = 0;
  std::optional<double> seconds_a_cell;
  std::vector<std::vector<std::size_t>> done_of, running_of;  // row, noise
};

GridProgress progress_of(const Grid& grid) {
  const auto workspace = Workspace::open(grid.folder);
  const CellRuns runs(workspace, grid.settings.dataset);
  GridProgress progress;
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

std::string line_of(const GridProgress& progress) {
  auto line =
      fmt::format("{} cells done, {} running, {} left", progress.done, progress.running, progress.left);
  if (progress.seconds_a_cell)
    line += fmt::format(
        "; {:.0f} s a cell, about {:.0f} min left for one process", *progress.seconds_a_cell,
        std::ceil(*progress.seconds_a_cell * static_cast<double>(progress.left + progress.running) / 60));
  return line;
}

void print_status(const Grid& grid, const GlobalOptions& global) {
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

CellRuns runs_now(const Grid& grid) { return {Workspace::open(grid.folder), grid.settings.dataset}; }

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
std::string train_cell(const Grid& grid, const TableCell& cell) {
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

int run(const Options& options, const GlobalOptions& global) {
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
  auto options = std::make_shared<Options>();
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
      ->type_name("DIR");
  command->add_flag("--status", options->status, "Show what is done, running and left, and train nothing");
  add_machine_options(command, options->machine);
  program.on(command, options, setup, run);
}

}  // namespace procsim::tools
