#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "data/files/atomic_file.hpp"

namespace procsim {

class FileChanges;

// The label-set format (docs/formats.md). These constants are on disk: they never change.
inline constexpr std::string_view kLabelSetFormat = "labelset";
inline constexpr int kLabelSetVersion =
    3;  // 2: with kNoneOfThese; 3: labels are int64, as Hugging Face wants
inline constexpr std::int32_t kUnlabelled = -1;  // `label` of a sample that nobody has labelled
inline constexpr std::int32_t kNoneOfThese =
    -2;  // `true_label` of a sample that belongs to no class of the set

struct LabelClass {
  std::string name;       // for people: "Black-footed Albatross"
  std::string published;  // as the data set has it: "001.Black_footed_Albatross"
  std::string node;       // id of the taxonomy node it hangs from, empty when there is no taxonomy

  bool operator==(const LabelClass&) const = default;
};

// What the file says about itself.
struct LabelSetInfo {
  std::string dataset;
  std::vector<LabelClass> classes;    // index = label
  nlohmann::ordered_json provenance;  // program, version, operation, seed, digests, changed, parent, …

  std::vector<std::string> class_names() const;
  // The label of a class by its name, published name or decimal index. Throws Error with the nearest known
  // name.
  std::int32_t label_of(std::string_view name) const;
};

// Some consecutive rows. Columns that were not asked for are empty. Copies share their columns.
class LabelBatch {
 public:
  struct Columns;  // holds Arrow's arrays

  explicit LabelBatch(std::shared_ptr<const Columns> columns);

  std::int64_t rows() const;
  std::span<const std::int64_t> sample_ids() const;
  std::span<const std::int32_t> labels() const;
  bool has_true_label(std::int64_t row) const;
  std::optional<std::int32_t> true_label(std::int64_t row) const;  // may be kNoneOfThese
  std::string_view path(std::int64_t row) const;
  std::string_view split(std::int64_t row) const;

  // The same rows with other labels and truth (kUnlabelled in `true_labels` = unknown). Sizes must equal
  // rows().
  LabelBatch relabelled(std::vector<std::int32_t> labels, std::vector<std::int32_t> true_labels) const;
  // Only the given rows, in the given order.
  LabelBatch select(std::span<const std::int64_t> rows) const;

  const Columns& columns() const { return *columns_; }

 private:
  std::shared_ptr<const Columns> columns_;
};

// Rows [first, last) of a label set, counted over its parts in name order.
struct RowRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

struct LabelReadOptions {
  std::optional<std::string> split;  // only rows of this split; row groups without it are not read
  std::optional<RowRange> rows;      // only these rows; row groups outside are not read
  bool paths = true;                 // read `path` (the widest column)
  bool true_labels = true;
  std::int64_t batch_rows = 65536;
  bool unique_ids = false;  // refuse a sample id that was read before: a bit a row for dense ids (IdSet)
};

// Whether a Parquet file, or the first part of a folder of them, says of itself that it is a label set: of
// any version, or with a header that cannot be read. LabelSetReader then tells what is wrong with it.
bool is_label_set(const std::filesystem::path& path);

// Streams a label set: a file, or a folder of part files (*.parquet, in name order, same classes and data
// set). Checks format, version, columns, and that every label is a class or kUnlabelled; says file and row
// where not. Memory does not grow with the number of rows.
class LabelSetReader {
 public:
  explicit LabelSetReader(const std::filesystem::path& path, LabelReadOptions options = {});
  ~LabelSetReader();
  LabelSetReader(LabelSetReader&&) noexcept;

  const LabelSetInfo& info() const;
  std::int64_t file_rows() const;  // rows in the files, before any filter
  std::optional<LabelBatch> next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A row of a label set in memory.
struct LabelRow {
  std::int64_t sample_id = 0;
  std::string path;
  std::string split;
  std::int32_t label = kUnlabelled;
  std::optional<std::int32_t> true_label;  // may be kNoneOfThese

  bool operator==(const LabelRow&) const = default;
};

// Writes a label set atomically. Same rows and info give the same bytes, however the rows are cut into
// batches.
class LabelSetWriter {
 public:
  LabelSetWriter(const std::filesystem::path& path, IfExists if_exists);
  ~LabelSetWriter();
  LabelSetWriter(const LabelSetWriter&) = delete;
  LabelSetWriter& operator=(const LabelSetWriter&) = delete;

  // A batch that was read without paths or true labels has nothing to write there: Error.
  void append(const LabelBatch& batch);
  void append(std::span<const LabelRow> rows);
  // The file appears now. `info` comes last, since provenance counts what was written. Returns the file's
  // SHA-256.
  std::string finish(const LabelSetInfo& info);
  // The same as one of several files that change together: it appears with them.
  std::string finish(const LabelSetInfo& info, FileChanges& changes);

 private:
  struct State;
  std::string close(const LabelSetInfo& info);
  std::unique_ptr<State> state_;
};

// A whole label set in memory, a row per sample.
struct LabelSet {
  LabelSetInfo info;
  std::vector<LabelRow> rows;
};

// Always with unique_ids.
LabelSet read_label_set(const std::filesystem::path& path, LabelReadOptions options = {});
// Returns the file's SHA-256.
std::string write_label_set(const std::filesystem::path& path, const LabelSet& set, IfExists if_exists);
// One of several files that change together. Returns its SHA-256.
std::string write_label_set(const std::filesystem::path& path, const LabelSet& set, FileChanges& changes);
LabelBatch make_label_batch(std::span<const LabelRow> rows);

}  // namespace procsim
