#include "python/arrow_labels.hpp"

#include <vector>

#include <arrow/api.h>
#include <arrow/c/bridge.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/base/error.hpp"
#include "data/labels/label_classes.hpp"
#include "data/labels/label_set.hpp"

namespace procsim::python {
namespace {

template <typename T>
T require(arrow::Result<T> result) {
  if (!result.ok()) throw Error(fmt::format("cannot read the labels: {}", result.status().message()));
  return std::move(result).ValueUnsafe();
}

template <typename Array>
const Array& column(const arrow::RecordBatch& batch, const char* name) {
  const auto found = batch.GetColumnByName(name);
  if (!found || found->type_id() != Array::TypeClass::type_id)
    throw Error(
        fmt::format("the labels have no column '{}' of type {}", name, Array::TypeClass::type_name()));
  return static_cast<const Array&>(*found);
}

std::vector<LabelRow> rows_of(const arrow::RecordBatch& batch) {
  const auto& ids = column<arrow::Int64Array>(batch, "sample_id");
  const auto& paths = column<arrow::StringArray>(batch, "path");
  const auto& splits = column<arrow::StringArray>(batch, "split");
  const auto& labels = column<arrow::Int32Array>(batch, "label");
  const auto& true_labels = column<arrow::Int32Array>(batch, "true_label");
  std::vector<LabelRow> rows;
  rows.reserve(static_cast<std::size_t>(batch.num_rows()));
  for (std::int64_t row = 0; row < batch.num_rows(); ++row) {
    LabelRow one{ids.Value(row), paths.GetString(row), splits.GetString(row), labels.Value(row),
                 std::nullopt};
    if (true_labels.IsValid(row)) one.true_label = true_labels.Value(row);
    rows.push_back(std::move(one));
  }
  return rows;
}

}  // namespace

std::string write_label_stream(ArrowArrayStream* stream, std::string_view header,
                               const std::filesystem::path& path, const Progress& progress) {
  const auto json = nlohmann::ordered_json::parse(header);
  LabelSetInfo info;
  info.dataset = json.at("dataset").get<std::string>();
  info.classes = classes_from_json(json, path);
  info.provenance = json.value("provenance", nlohmann::ordered_json());
  const auto reader = require(arrow::ImportRecordBatchReader(stream));
  LabelSetWriter writer(path, IfExists::kReplace);
  std::uint64_t done = 0;
  for (auto batch = require(reader->Next()); batch; batch = require(reader->Next())) {
    writer.append(rows_of(*batch));
    done += static_cast<std::uint64_t>(batch->num_rows());
    if (progress) progress(done, 0);
  }
  return writer.finish(info);
}

}  // namespace procsim::python
