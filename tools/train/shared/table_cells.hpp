#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/workspace/workspace.hpp"
#include "train/reports/paper_tables.hpp"
#include "train/reports/result_table.hpp"
#include "train/settings/config.hpp"

namespace procsim::tools {

// What all cells of a table have in common.
struct TableSettings {
  std::string dataset;
  std::string preset;                         // how they are trained: backbone, images, optimiser
  std::optional<std::int64_t> epochs;         // else the preset's
  std::string backbone;                       // empty: the table's, else the preset's
  std::filesystem::path models;               // where weights are
  std::int64_t classes = 0;                   // of the training split, which batches are fitted to
  std::map<std::string, std::string> fields;  // set in every cell
  std::map<std::string, std::map<std::string, std::string>> row_fields{};  // row → set in its cells alone
};

// A cell is a run: a row under a noise with a seed.
struct TableCell {
  std::size_t row = 0;
  std::size_t noise = 0;
  std::uint64_t seed = 1;
  train::TrainConfig config{};
  LabelSetRecord labels{};

  std::string key() const;   // of its configuration and its labels
  std::string name() const;  // of its run
};

// The rows that `methods` names: rows of the table, or any method, which is what other tables make of it
// where it has a row there; all of the table where it is empty. Throws UsageError with the nearest name.
std::vector<train::PaperRow> chosen_rows(const train::PaperTable& table,
                                         const std::vector<std::string>& methods);

// The configuration of a row's cells, without a seed. The paper's methods have the values that the data set's
// own preset gives them, but guidance only where the row says so, ours those of the …-best preset; all else
// is the same in every row. Throws UsageError where what was set does not go with the row.
train::TrainConfig row_config(const train::PaperTable& table, const train::PaperRow& row,
                              const TableSettings& settings);

// The words that make procsim-train train exactly this, with batches as they stand.
std::vector<std::string> words_of(const train::TrainConfig& config);

// The runs on a data set's labels as a workspace has them now, by what they were trained with.
class CellRuns {
 public:
  CellRuns(const Workspace& workspace, const std::string& dataset);
  // The newest run of this configuration on these labels, finished where there is one. None where the labels
  // have not been made.
  std::optional<RunRecord> find(const TableCell& cell) const;

 private:
  std::map<std::string, RunRecord> runs_;  // by a cell's key
};

// What the finished runs of the cells have come to, in percent, beside the paper's numbers.
train::ResultTable result_of(const Workspace& workspace, const train::PaperTable& table,
                             const std::vector<train::PaperRow>& rows, const std::vector<TableCell>& cells,
                             const std::string& dataset);

}  // namespace procsim::tools
