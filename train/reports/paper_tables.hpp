#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace procsim::train {

// The tables of the paper: what was compared and what came out, by the names that commands use. All of it is
// in paper_tables.json.
struct PaperRow {
  std::string row;       // its name on the command line
  std::string name;      // as the paper calls it
  std::string group{};   // heading that it stands under; may be empty
  std::string method{};  // empty: only quoted, never trained
  std::string lacks{};   // what it would need that is not here; empty: it can be trained
  nlohmann::ordered_json settings =
      nlohmann::ordered_json::object();  // fields of the configuration that differ from the method's
  std::map<std::string, std::vector<std::optional<double>>> paper{};      // data set → percent, by column
  std::map<std::string, std::vector<std::optional<double>>> deviation{};  // where it prints one
  std::map<std::string, double> harmonic_mean{};
};

struct PaperTable {
  std::string name;
  std::string label;  // in the paper's source
  std::string title;
  std::string backbone{};  // empty: the preset's
  bool harmonic_mean = false;
  std::vector<std::string> noise{};  // "none", "semantic 0.1", …
  std::map<std::string, std::vector<std::string>> metrics{};
  std::vector<PaperRow> rows{};  // the paper's, then ours

  // A column is a noise with a metric, all metrics of the first noise first.
  const std::vector<std::string>& metrics_of(const std::string& dataset) const;

  // The same table with these columns of noise, in this order; one that the paper lacks has no number of the
  // paper. Its harmonic mean stays where the columns are those of the paper, and is left out where there is
  // only one.
  PaperTable with_noise(const std::vector<std::string>& columns) const;
};

// The name of a column of noise from what users write: none, or a model and its rate as in file names,
// uniform-0.5. Throws UsageError that says what can be written.
std::string noise_column(std::string_view text);

std::vector<std::string> paper_table_names();
// Throws UsageError with the nearest name.
PaperTable paper_table(std::string_view name);

}  // namespace procsim::train
