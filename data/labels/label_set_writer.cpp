#include <algorithm>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/files/file_changes.hpp"
#include "data/files/parquet_io.hpp"
#include "data/labels/huggingface_features.hpp"
#include "data/labels/label_classes.hpp"
#include "data/labels/label_columns.hpp"
#include "data/labels/label_set.hpp"

namespace procsim {
namespace {

// On disk: where row groups end is part of "same rows, same bytes".
constexpr std::int64_t kRowGroupRows = 1 << 18;

// Labels are int64 and may be null as far as the schema goes: `datasets` takes our word for what the classes
// are called only where the column is what it would write itself.
std::shared_ptr<arrow::Schema> label_schema() {
  return arrow::schema({arrow::field("sample_id", arrow::int64(), false),
                        arrow::field("path", arrow::utf8(), false),
                        arrow::field("split", arrow::dictionary(arrow::int32(), arrow::utf8()), false),
                        arrow::field("label", arrow::int64()), arrow::field("true_label", arrow::int64())});
}

std::string header_text(const LabelSetInfo& info) {
  nlohmann::ordered_json header;
  header["format"] = kLabelSetFormat;
  header["version"] = kLabelSetVersion;
  header["dataset"] = info.dataset;
  header["classes"] = classes_to_json(info.classes);
  header["provenance"] = info.provenance.is_null() ? nlohmann::ordered_json::object() : info.provenance;
  return header.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

struct LabelSetWriter::State {
  std::filesystem::path path;
  ParquetOutput output;
  std::vector<LabelBatch> waiting;  // whole batches; `taken` rows of the first are written already
  std::int64_t taken = 0;
  std::int64_t waiting_rows = 0;

  State(const std::filesystem::path& target, IfExists if_exists)
      : path(target),
        output(target, if_exists, label_schema(), writer_properties(std::vector<std::string>{"split"})) {}

  void write_group(std::int64_t rows);
  std::shared_ptr<arrow::Array> joined(const arrow::ArrayVector& pieces) const;
  std::shared_ptr<arrow::Array> widened(const arrow::ArrayVector& pieces) const;
};

std::shared_ptr<arrow::Array> LabelSetWriter::State::joined(const arrow::ArrayVector& pieces) const {
  // One piece whatever the batches were: Parquet's pages, and so the bytes, would follow the pieces.
  return pieces.size() == 1 ? pieces.front() : require(arrow::Concatenate(pieces), "write", path);
}

// The same as one array of int64.
std::shared_ptr<arrow::Array> LabelSetWriter::State::widened(const arrow::ArrayVector& pieces) const {
  arrow::Int64Builder builder;
  for (const auto& piece : pieces) {
    const auto& labels = static_cast<const arrow::Int32Array&>(*piece);
    require(builder.Reserve(labels.length()), "write", path);
    for (std::int64_t row = 0; row < labels.length(); ++row) {
      if (labels.IsNull(row)) {
        builder.UnsafeAppendNull();
      } else {
        builder.UnsafeAppend(labels.Value(row));
      }
    }
  }
  return require(builder.Finish(), "write", path);
}

void LabelSetWriter::State::write_group(std::int64_t rows) {
  arrow::ArrayVector ids, paths, labels, true_labels;
  std::vector<std::string> split_names;
  std::vector<std::int32_t> split_codes;
  split_codes.reserve(static_cast<std::size_t>(rows));
  std::int64_t missing = rows;
  std::size_t used = 0;
  while (missing > 0) {
    const auto& columns = waiting[used].columns();
    const auto count = std::min(missing, columns.rows - taken);
    ids.push_back(columns.sample_ids->Slice(taken, count));
    labels.push_back(columns.labels->Slice(taken, count));
    paths.push_back(columns.paths->Slice(taken, count));
    true_labels.push_back(columns.true_labels->Slice(taken, count));
    std::vector<std::int32_t> code_here(columns.split_names->size(), -1);
    for (std::int64_t row = taken; row < taken + count; ++row) {
      const auto code = static_cast<std::size_t>((*columns.split_codes)[static_cast<std::size_t>(row)]);
      if (code_here[code] < 0) {
        const auto& name = (*columns.split_names)[code];
        const auto found = std::find(split_names.begin(), split_names.end(), name);
        code_here[code] = static_cast<std::int32_t>(found - split_names.begin());
        if (found == split_names.end()) split_names.push_back(name);
      }
      split_codes.push_back(code_here[code]);
    }
    missing -= count;
    taken += count;
    if (taken == columns.rows) {
      ++used;
      taken = 0;
    }
  }
  waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(used));
  waiting_rows -= rows;

  arrow::StringBuilder names;
  require(names.AppendValues(split_names), "write", path);
  const auto dictionary = require(names.Finish(), "write", path);
  const auto codes =
      std::make_shared<arrow::Int32Array>(rows, arrow::Buffer::FromVector(std::move(split_codes)));
  const auto splits = require(
      arrow::DictionaryArray::FromArrays(arrow::dictionary(arrow::int32(), arrow::utf8()), codes, dictionary),
      "write", path);
  output.write(*arrow::Table::Make(
      label_schema(), {joined(ids), joined(paths), splits, widened(labels), widened(true_labels)}, rows));
}

LabelSetWriter::LabelSetWriter(const std::filesystem::path& path, IfExists if_exists)
    : state_(std::make_unique<State>(path, if_exists)) {}
LabelSetWriter::~LabelSetWriter() = default;

void LabelSetWriter::append(const LabelBatch& batch) {
  if (batch.rows() == 0) return;
  if (!batch.columns().paths || !batch.columns().true_labels)
    throw Error(fmt::format("cannot write {} from labels that were read without their {}. Read them too.",
                            state_->path.string(), batch.columns().paths ? "true labels" : "paths"));
  state_->waiting.push_back(batch);
  state_->waiting_rows += batch.rows();
  while (state_->waiting_rows >= kRowGroupRows) state_->write_group(kRowGroupRows);
}

void LabelSetWriter::append(std::span<const LabelRow> rows) {
  constexpr std::size_t kBatchRows = 65536;
  for (std::size_t begin = 0; begin < rows.size(); begin += kBatchRows) {
    append(make_label_batch(rows.subspan(begin, std::min(kBatchRows, rows.size() - begin))));
  }
}

std::string LabelSetWriter::close(const LabelSetInfo& info) {
  if (state_->waiting_rows > 0) state_->write_group(state_->waiting_rows);
  const auto label = huggingface_class_label(info.classes);
  const auto features = huggingface_info({{"sample_id", huggingface_value("int64")},
                                          {"path", huggingface_value("string")},
                                          {"split", huggingface_value("string")},
                                          {"label", label},
                                          {"true_label", label}});
  return state_->output.close({{kParquetHeaderKey, header_text(info)}, {kHuggingFaceKey, features}});
}

std::string LabelSetWriter::finish(const LabelSetInfo& info) {
  auto digest = close(info);
  state_->output.commit();
  return digest;
}

std::string LabelSetWriter::finish(const LabelSetInfo& info, FileChanges& changes) {
  auto digest = close(info);
  const std::shared_ptr<State> state = std::move(state_);
  changes.add(state->output.file(), state);
  return digest;
}

std::string write_label_set(const std::filesystem::path& path, const LabelSet& set, FileChanges& changes) {
  LabelSetWriter writer(path, IfExists::kReplace);
  writer.append(set.rows);
  return writer.finish(set.info, changes);
}

}  // namespace procsim
