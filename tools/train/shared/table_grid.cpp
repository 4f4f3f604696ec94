#include "tools/train/shared/table_grid.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/suggest.hpp"
#include "data/base/words.hpp"
#include "data/files/file_name.hpp"
#include "tools/program/workspace_choice.hpp"
#include "tools/train/shared/cell_queue.hpp"
#include "tools/train/shared/train_options.hpp"
#include "train/samples/train_data.hpp"

namespace procsim::tools {
namespace {

namespace fs = std::filesystem;

// Puts what --set says into the settings, for every cell or for those of a row.
void take_fields(TableSettings& settings, const TableOptions& options,
                 const std::vector<train::PaperRow>& rows) {
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

train::PaperTable table_of(const TableOptions& options) {
  auto table = train::paper_table(options.table);
  if (options.noise.empty()) return table;
  std::vector<std::string> columns;
  for (const auto& text : options.noise)
    if (auto column = train::noise_column(text);
        std::find(columns.begin(), columns.end(), column) == columns.end())
      columns.push_back(std::move(column));
  return table.with_noise(columns);
}

enum class MissingLabels { kMake, kLeave };

// The labels of a column: the data set's own, or those with the noise drawn by the cell's seed. Where they
// are not there yet, 'noise inject' makes them, or they are left without a digest.
LabelSetRecord labels_for(const TableGrid& grid, const LabelSetRecord& base, const std::string& noise,
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

}  // namespace

fs::path tables_folder(const TableGrid& grid) { return grid.home / "tables"; }

void check_words(const TableOptions& options) {
  const auto table = table_of(options);
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

TableGrid make_grid(const TableOptions& options, const GlobalOptions& global) {
  const auto workspace = open_workspace(global);
  if (!options.status) workspace.require_writable();
  const auto dataset = options.dataset ? *workspace.dataset(chosen_dataset(workspace, options.dataset))
                                       : require_dataset(workspace);
  TableGrid grid{.table = table_of(options),
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

}  // namespace procsim::tools
