#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "curate/evidence/score_table.hpp"
#include "curate/report/image_store.hpp"
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

// Where the tool finds the images.
struct ExportedImages {
  std::string prefix;  // before each path
  // Files that were made of images that are no files (write_embedded_images), by sample.
  std::map<std::int64_t, std::string> written{};
};

// The file's content for the cards of a report (make_report), which were made from the table. Throws Error
// where the format cannot hold them all: FiftyOne's has one label an image file.
std::string export_suspects(const Report& report, const ScoreTable& table, ExchangeFormat format,
                            const ExportedImages& images);
// Whether some card's image lies inside a Parquet file, where no other tool finds it.
bool has_embedded_images(const Report& report);
// Writes these images into the folder, a file each, and returns their paths below it by sample. Throws Error
// naming the sample whose image cannot be read.
std::map<std::int64_t, std::string> write_embedded_images(const Report& report, const ImageStore& images,
                                                          const std::filesystem::path& folder);
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

// Reads decisions on the samples of `table`. Throws Error naming the file and place when a sample or class is
// unknown.
ImportedDecisions import_decisions(const std::filesystem::path& file, const ScoreTable& table,
                                   const ImportOptions& options);

}  // namespace procsim::curate
