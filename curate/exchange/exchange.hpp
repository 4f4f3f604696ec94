#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "curate/evidence/score_table.hpp"
#include "curate/report/report.hpp"
#include "data/workspace/workspace.hpp"

namespace procsim::curate {

// Suspects for tools that people already use, and decisions back from them.
enum class ExchangeFormat {
  kDecisions,    // our own: what the static report exports (kDecisionsFormat)
  kLabelStudio,  // tasks with predictions; annotated tasks back
  kDatumaro,     // Datumaro's JSON, which CVAT reads and writes
  kFiftyOne,     // FiftyOneImageClassificationDataset's labels.json
  kCsv,          // a row per suspect, with empty columns for the decision
};
// In files of users and in curate/web/decisions.js, which writes them: it never changes.
inline constexpr const char* kDecisionsFormat = "decisions/1";
std::string_view to_string(ExchangeFormat format);
ExchangeFormat exchange_format_from_string(std::string_view text);  // throws UsageError with the nearest
std::vector<std::string> exchange_format_names();

// Choices that stand beside the classes in Label Studio.
inline constexpr std::string_view kNoneChoice = "(none of the classes)";
inline constexpr std::string_view kAmbiguousChoice = "(ambiguous)";

// The file's content for the cards of a report (make_report). `image_prefix` is put before each path.
std::string export_suspects(const Report& report, ExchangeFormat format, const std::string& image_prefix);
// Label Studio's labelling configuration for these classes: a choice each.
std::string label_studio_config(const Report& report);

struct ImportOptions {
  std::optional<ExchangeFormat> format;  // empty: told by the content
  std::string reviewer;                  // where the file does not name one
  // Formats that always carry a label cannot tell "looked at and kept" from "not looked at".
  bool unchanged_is_keep = false;
};

struct ImportedDecisions {
  ExchangeFormat format{};
  std::vector<DecisionRecord>
      decisions;              // label_set and hashes not filled in; time empty where the file has none
  std::string label_set;      // digest that the file says it is about, empty when it says nothing
  std::size_t unchanged = 0;  // left out because the label is the given one
};

// A path as Datumaro and FiftyOne name an image by it.
std::string without_extension(const std::filesystem::path& path);

// Reads decisions on the samples of `table`. Throws Error naming the file and place when a sample or class is
// unknown.
ImportedDecisions import_decisions(const std::filesystem::path& file, const ScoreTable& table,
                                   const ImportOptions& options);

}  // namespace procsim::curate
