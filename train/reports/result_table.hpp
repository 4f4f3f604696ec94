#pragma once

#include <optional>
#include <string>
#include <vector>

namespace procsim::train {

// A table of results: ours, in percent, a value for each seed, with the published number beside it.
struct ResultCell {
  std::vector<double> values{};  // none: it has not run
  std::optional<double> paper{};
  std::optional<double> paper_deviation{};
};

struct ResultRow {
  std::string name;
  std::string group{};  // a heading stands where it changes
  bool quoted = false;  // only published numbers
  std::vector<ResultCell> cells{};
};

struct ResultTable {
  std::string title;
  std::string caption;
  std::vector<std::string> columns;
  std::vector<ResultRow> rows;
};

double mean_of(const std::vector<double>& values);
// Of the sample (n − 1); none of fewer than two.
std::optional<double> deviation_of(const std::vector<double>& values);

// For each column the rows with the highest mean that have run; empty where none has.
std::vector<std::vector<std::size_t>> best_rows(const ResultTable& table);

// "**70.1 ± 0.3** (69.3)": mean and deviation, the best of a column bold, the published number (with its
// deviation, where that was published) in parentheses, a dash for what has not run.
std::string to_markdown(const ResultTable& table);
std::string to_html(const ResultTable& table);   // a page that needs nothing else
std::string to_latex(const ResultTable& table);  // a table with booktabs
// A line for each cell: group, row, column, mean, deviation, seeds, paper, best, paper's deviation.
std::string to_csv(const ResultTable& table);

}  // namespace procsim::train
