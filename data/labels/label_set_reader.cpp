#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>
#include <parquet/statistics.h>

#include "data/base/error.hpp"
#include "data/base/id_set.hpp"
#include "data/files/arrow_values.hpp"
#include "data/files/file_name.hpp"
#include "data/files/parquet_io.hpp"
#include "data/labels/label_classes.hpp"
#include "data/labels/label_columns.hpp"
#include "data/labels/label_set.hpp"

namespace procsim {
namespace {

LabelSetInfo info_from_header(const nlohmann::ordered_json& header, const std::filesystem::path& path) {
  LabelSetInfo info;
  info.dataset = header["dataset"].get<std::string>();
  info.classes = classes_from_json(header, path);
  info.provenance = header.value("provenance", nlohmann::ordered_json::object());
  return info;
}

[[noreturn]] void wrong_type(const ParquetInput& input, std::string_view column, std::string_view expected) {
  const auto found = input.schema->field(input.column(column))->type()->ToString();
  throw Error(fmt::format("{}: column '{}' is {}, expected {} (docs/formats.md)", input.path.string(), column,
                          found, expected));
}

void check_schema(const ParquetInput& input) {
  const auto type = [&](std::string_view name) -> const arrow::DataType& {
    return *input.schema->field(input.column(name))->type();
  };
  if (type("sample_id").id() != arrow::Type::INT64) wrong_type(input, "sample_id", "int64");
  if (!is_text(type("path"))) wrong_type(input, "path", "string");
  if (!is_text(type("split"))) wrong_type(input, "split", "dictionary<string>");
  for (const auto* name : {"label", "true_label"}) {
    const auto id = type(name).id();
    if (id != arrow::Type::INT64 && id != arrow::Type::INT32)
      wrong_type(input, name, "int64");  // 32: before 3
  }
}

// False when the row group's statistics say that the split does not occur in it.
bool may_hold_split(const ParquetInput& input, int row_group, std::string_view split) {
  const auto chunk = input.reader->parquet_reader()->metadata()->RowGroup(row_group)->ColumnChunk(
      leaf_columns(input, std::vector<int>{input.column("split")}).front());
  const auto statistics = std::dynamic_pointer_cast<parquet::ByteArrayStatistics>(chunk->statistics());
  if (!statistics || !statistics->HasMinMax()) return true;
  const auto view = [](const parquet::ByteArray& bytes) {
    return std::string_view(reinterpret_cast<const char*>(bytes.ptr), bytes.len);
  };
  return view(statistics->min()) <= split && split <= view(statistics->max());
}

}  // namespace

struct LabelSetReader::State {
  LabelReadOptions options;
  std::vector<std::filesystem::path> parts;
  LabelSetInfo info;
  std::int64_t file_rows = 0;

  std::size_t next_part = 0;
  ParquetInput input;
  std::unique_ptr<arrow::RecordBatchReader> batches;
  std::vector<std::pair<std::int64_t, std::int64_t>>
      group_rows;  // first row and size of the groups being read
  std::int64_t row_in_groups = 0;
  std::int64_t part_first_row = 0;  // of the part being read, over all parts
  std::int64_t next_part_first_row = 0;
  IdSet ids;  // read so far, for unique_ids

  void open_next_part();
  std::optional<LabelBatch> read();
  std::int64_t file_row(std::int64_t row_in_batch) const;
  std::shared_ptr<LabelBatch::Columns> columns_from(const arrow::RecordBatch& batch) const;
  // Labels of either width. Throws where a value is neither a class nor `also`.
  std::shared_ptr<arrow::Int32Array> read_labels(const std::shared_ptr<arrow::Array>& array,
                                                 std::string_view column, std::int32_t also) const;
  template <typename Labels>
  void check_labels(const Labels& labels, std::string_view column, std::int32_t also) const;
  void check_ids(const LabelBatch::Columns& columns);
  void read_splits(const arrow::Array& array, LabelBatch::Columns& columns) const;
  bool wants_group(int group, std::int64_t first_row, std::int64_t rows) const;
  void keep_wanted_rows(LabelBatch::Columns& columns) const;
  std::optional<LabelBatch> only_wanted_split(LabelBatch batch) const;
};

bool LabelSetReader::State::wants_group(int group, std::int64_t first_row, std::int64_t rows) const {
  if (options.rows) {
    const auto first = part_first_row + first_row;
    if (first + rows <= options.rows->first || first >= options.rows->last) return false;
  }
  return !options.split || may_hold_split(input, group, *options.split);
}

// Cuts off what lies outside the wanted range. Row groups keep their order, so what stays is one piece.
void LabelSetReader::State::keep_wanted_rows(LabelBatch::Columns& columns) const {
  if (!options.rows) return;
  const auto rows_before = [&](std::int64_t limit) {
    std::int64_t low = 0, high = columns.rows;
    while (low < high) {
      const auto middle = low + (high - low) / 2;
      if (part_first_row + file_row(middle) < limit) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  const auto begin = rows_before(options.rows->first);
  const auto end = std::max(begin, rows_before(options.rows->last));
  if (begin == 0 && end == columns.rows) return;
  const auto cut = [&](auto& array) {
    using Array = std::decay_t<decltype(array)>::element_type;
    if (array) array = std::static_pointer_cast<Array>(array->Slice(begin, end - begin));
  };
  cut(columns.sample_ids);
  cut(columns.labels);
  cut(columns.paths);
  cut(columns.true_labels);
  columns.split_codes = std::make_shared<const std::vector<std::int32_t>>(
      columns.split_codes->begin() + begin, columns.split_codes->begin() + end);
  columns.rows = end - begin;
}

void LabelSetReader::State::open_next_part() {
  input = open_parquet(parts[next_part++]);
  check_schema(input);
  part_first_row = next_part_first_row;
  next_part_first_row += input.rows();
  std::vector<int> fields{input.column("sample_id"), input.column("split"), input.column("label")};
  if (options.paths) fields.push_back(input.column("path"));
  if (options.true_labels) fields.push_back(input.column("true_label"));
  std::vector<int> groups;
  group_rows.clear();
  row_in_groups = 0;
  std::int64_t first_row = 0;
  for (int group = 0; group < input.reader->num_row_groups(); ++group) {
    const auto rows = input.reader->parquet_reader()->metadata()->RowGroup(group)->num_rows();
    if (wants_group(group, first_row, rows)) {
      groups.push_back(group);
      group_rows.emplace_back(first_row, rows);
    }
    first_row += rows;
  }
  input.reader->set_batch_size(options.batch_rows);
  batches =
      require(input.reader->GetRecordBatchReader(groups, leaf_columns(input, fields)), "read", input.path);
}

// Where a row of the batch being read stands in its file, for messages.
std::int64_t LabelSetReader::State::file_row(std::int64_t row_in_batch) const {
  std::int64_t row = row_in_groups + row_in_batch;
  for (const auto& [first, rows] : group_rows) {
    if (row < rows) return first + row;
    row -= rows;
  }
  return row;
}

template <typename Labels>
void LabelSetReader::State::check_labels(const Labels& labels, std::string_view column,
                                         std::int32_t also) const {
  using Value = Labels::value_type;
  const auto classes = static_cast<std::int64_t>(info.classes.size());
  const auto* values = labels.raw_values();
  Value smallest = std::numeric_limits<Value>::max();
  Value largest = std::numeric_limits<Value>::min();
  for (std::int64_t row = 0; row < labels.length(); ++row) {
    if (labels.null_count() != 0 && labels.IsNull(row)) continue;
    smallest = std::min(smallest, values[row]);
    largest = std::max(largest, values[row]);
  }
  if (labels.null_count() == labels.length() || (smallest >= 0 && largest < classes)) return;
  for (std::int64_t row = 0; row < labels.length(); ++row) {
    if (labels.IsNull(row) || values[row] == also || (values[row] >= 0 && values[row] < classes)) continue;
    throw Error(fmt::format("{}: {} {} in row {} is no class; the file names {} classes (0 to {})",
                            input.path.string(), column, values[row], file_row(row), classes, classes - 1));
  }
}

std::shared_ptr<arrow::Int32Array> LabelSetReader::State::read_labels(
    const std::shared_ptr<arrow::Array>& array, std::string_view column, std::int32_t also) const {
  if (array->type_id() == arrow::Type::INT32) {
    auto labels = std::static_pointer_cast<arrow::Int32Array>(array);
    check_labels(*labels, column, also);
    return labels;
  }
  const auto& wide = static_cast<const arrow::Int64Array&>(*array);
  check_labels(wide, column, also);
  arrow::Int32Builder labels;
  require(labels.Reserve(wide.length()), "read", input.path);
  for (std::int64_t row = 0; row < wide.length(); ++row) {
    if (wide.IsNull(row)) {
      labels.UnsafeAppendNull();
    } else {
      labels.UnsafeAppend(static_cast<std::int32_t>(wide.Value(row)));  // a class: it fits
    }
  }
  return std::static_pointer_cast<arrow::Int32Array>(require(labels.Finish(), "read", input.path));
}

// Before rows outside the wanted range are cut off, since rows are counted from the batch's first.
void LabelSetReader::State::check_ids(const LabelBatch::Columns& columns) {
  if (!options.unique_ids) return;
  const auto* values = columns.sample_ids->raw_values();
  for (std::int64_t row = 0; row < columns.rows; ++row) {
    if (ids.insert(values[row])) continue;
    throw Error(fmt::format("{}: sample_id {} in row {} stands there for the second time; ids must be unique",
                            input.path.string(), values[row], file_row(row)));
  }
}

void LabelSetReader::State::read_splits(const arrow::Array& array, LabelBatch::Columns& columns) const {
  auto names = std::make_shared<std::vector<std::string>>();
  auto codes = std::make_shared<std::vector<std::int32_t>>();
  codes->reserve(static_cast<std::size_t>(array.length()));
  if (array.type_id() == arrow::Type::DICTIONARY) {
    const auto& dictionary = static_cast<const arrow::DictionaryArray&>(array);
    const auto& values = *dictionary.dictionary();
    for (std::int64_t i = 0; i < values.length(); ++i) names->emplace_back(text_at(values, i));
    for (std::int64_t row = 0; row < array.length(); ++row) {
      codes->push_back(static_cast<std::int32_t>(dictionary.GetValueIndex(row)));
    }
  } else {
    for (std::int64_t row = 0; row < array.length(); ++row) {
      const auto name = text_at(array, row);
      const auto found = std::find(names->begin(), names->end(), name);
      codes->push_back(static_cast<std::int32_t>(found - names->begin()));
      if (found == names->end()) names->emplace_back(name);
    }
  }
  columns.split_names = std::move(names);
  columns.split_codes = std::move(codes);
}

std::shared_ptr<LabelBatch::Columns> LabelSetReader::State::columns_from(
    const arrow::RecordBatch& batch) const {
  const auto column = [&](const char* name, bool may_be_null) {
    auto array = batch.GetColumnByName(name);
    if (array && !may_be_null && array->null_count() > 0) {
      std::int64_t row = 0;
      while (array->IsValid(row)) ++row;
      throw Error(fmt::format("{}: {} is null in row {}", input.path.string(), name, file_row(row)));
    }
    return array;
  };
  auto columns = std::make_shared<LabelBatch::Columns>();
  columns->rows = batch.num_rows();
  columns->sample_ids = std::static_pointer_cast<arrow::Int64Array>(column("sample_id", false));
  columns->labels = read_labels(column("label", false), "label", kUnlabelled);
  read_splits(*column("split", false), *columns);
  if (options.paths) columns->paths = require(as_strings(column("path", false)), "read", input.path);
  if (options.true_labels)
    columns->true_labels = read_labels(column("true_label", true), "true_label", kNoneOfThese);
  return columns;
}

std::optional<LabelBatch> LabelSetReader::State::only_wanted_split(LabelBatch batch) const {
  if (!options.split) return batch;
  std::vector<std::int64_t> wanted;
  for (std::int64_t row = 0; row < batch.rows(); ++row) {
    if (batch.split(row) == *options.split) wanted.push_back(row);
  }
  if (wanted.empty()) return std::nullopt;
  if (static_cast<std::int64_t>(wanted.size()) == batch.rows()) return batch;
  return batch.select(wanted);
}

std::optional<LabelBatch> LabelSetReader::State::read() {
  while (true) {
    if (!batches) {
      if (next_part == parts.size()) return std::nullopt;
      open_next_part();
    }
    const auto record_batch = require(batches->Next(), "read", input.path);
    if (!record_batch) {
      batches.reset();
      continue;
    }
    auto columns = columns_from(*record_batch);
    check_ids(*columns);
    keep_wanted_rows(*columns);
    row_in_groups += record_batch->num_rows();
    if (columns->rows == 0) continue;
    auto batch = only_wanted_split(LabelBatch(std::move(columns)));
    if (batch) return batch;
  }
}

bool is_label_set(const std::filesystem::path& path) {
  const auto parts = parquet_parts(path);
  return !parts.empty() && open_parquet(parts.front()).claims_to_be(kLabelSetFormat);
}

LabelSetReader::LabelSetReader(const std::filesystem::path& path, LabelReadOptions options)
    : state_(std::make_unique<State>()) {
  state_->options = std::move(options);
  state_->parts = some_parquet_parts(path);
  for (const auto& part : state_->parts) {
    const auto input = open_parquet(part);
    auto info = info_from_header(input.header(kLabelSetFormat, kLabelSetVersion), part);
    check_schema(input);
    state_->file_rows += input.rows();
    if (&part == &state_->parts.front()) {
      state_->info = std::move(info);
    } else if (info.dataset != state_->info.dataset || info.classes != state_->info.classes) {
      throw Error(fmt::format("{} and {} are no parts of one label set: data set or classes differ",
                              state_->parts.front().string(), part.string()));
    }
  }
}

LabelSetReader::~LabelSetReader() = default;
LabelSetReader::LabelSetReader(LabelSetReader&&) noexcept = default;

const LabelSetInfo& LabelSetReader::info() const { return state_->info; }
std::int64_t LabelSetReader::file_rows() const { return state_->file_rows; }

std::optional<LabelBatch> LabelSetReader::next() {
  try {
    return state_->read();
  } catch (const parquet::ParquetException& exception) {
    throw Error(fmt::format("{} is damaged: {}", state_->input.path.string(), exception.what()));
  }
}

}  // namespace procsim
