#include "data/labels/scores.hpp"

#include <fmt/format.h>
#include <parquet/exception.h>

#include "data/base/error.hpp"
#include "data/files/arrow_values.hpp"
#include "data/files/file_changes.hpp"
#include "data/files/file_name.hpp"
#include "data/files/parquet_io.hpp"
#include "data/labels/label_classes.hpp"

namespace procsim {

namespace {

// On disk: where row groups end is part of "same rows, same bytes".
constexpr std::size_t kScoreRowGroupRows = 1 << 16;

std::shared_ptr<arrow::Field> list_of(const char* name, const std::shared_ptr<arrow::DataType>& type) {
  return arrow::field(name, arrow::list(arrow::field("element", type, false)), false);
}

constexpr const char* kNearRivals = "near_rivals";
constexpr const char* kMapX = "map_x";
constexpr const char* kMapY = "map_y";
constexpr const char* kNone = "p_none";

std::shared_ptr<arrow::Schema> scores_schema() {
  return arrow::schema({arrow::field("sample_id", arrow::int64(), false),
                        arrow::field("path", arrow::utf8(), false),
                        arrow::field("label", arrow::int32(), false),
                        arrow::field("true_label", arrow::int32(), true),
                        arrow::field("proxy_loss", arrow::float32(), false),
                        arrow::field("confidence", arrow::float32(), false),
                        arrow::field("p_mislabelled", arrow::float32(), false),
                        arrow::field("suspicion", arrow::float32(), false),
                        arrow::field("p_given", arrow::float32(), false),
                        arrow::field("margin", arrow::float32(), false),
                        arrow::field("suggested", arrow::int32(), false),
                        list_of("rival_labels", arrow::int32()),
                        list_of("rival_probabilities", arrow::float32()),
                        list_of("near_given", arrow::int64()),
                        list_of("near_suggested", arrow::int64()),
                        list_of("duplicates", arrow::int64()),
                        arrow::field("fold", arrow::int32(), false),
                        list_of(kNearRivals, arrow::int64()),
                        arrow::field(kMapX, arrow::float32(), true),
                        arrow::field(kMapY, arrow::float32(), true),
                        arrow::field(kNone, arrow::float32(), true)});
}

// Columns that files of earlier programs do not have.
bool may_be_missing(const std::string& column) {
  return column == kNearRivals || column == kMapX || column == kMapY || column == kNone;
}

// Appending to Arrow's builders, with their statuses turned into errors.
class ColumnBuilder {
 public:
  explicit ColumnBuilder(std::filesystem::path path) : path_(std::move(path)) {}

  template <typename Builder, typename Get>
  void add(std::span<const ScoreRow> rows, Get get) {
    Builder builder;
    for (const auto& row : rows) require(builder.Append(get(row)), "write", path_);
    finish(builder);
  }

  // Null where there is no value.
  template <typename Builder, typename Value>
  void add_optional(std::span<const ScoreRow> rows, std::optional<Value> ScoreRow::* member) {
    Builder builder;
    for (const auto& row : rows)
      require(row.*member ? builder.Append(*(row.*member)) : builder.AppendNull(), "write", path_);
    finish(builder);
  }

  void add_places(std::span<const ScoreRow> rows, float ScoreRow::Place::* coordinate) {
    arrow::FloatBuilder builder;
    for (const auto& row : rows)
      require(row.place ? builder.Append((*row.place).*coordinate) : builder.AppendNull(), "write", path_);
    finish(builder);
  }

  template <typename ValueBuilder, typename Get>
  void add_lists(std::span<const ScoreRow> rows, const std::shared_ptr<arrow::Field>& field, Get get) {
    auto values = std::make_shared<ValueBuilder>();
    arrow::ListBuilder builder(arrow::default_memory_pool(), values, field->type());
    for (const auto& row : rows) {
      require(builder.Append(), "write", path_);
      get(row, [&](auto value) { require(values->Append(value), "write", path_); });
    }
    finish(builder);
  }

  arrow::ArrayVector take() { return std::move(arrays_); }

 private:
  void finish(arrow::ArrayBuilder& builder) { arrays_.push_back(require(builder.Finish(), "write", path_)); }

  std::filesystem::path path_;
  arrow::ArrayVector arrays_;
};

std::shared_ptr<arrow::Table> table_from(std::span<const ScoreRow> rows, const std::filesystem::path& path) {
  const auto schema = scores_schema();
  ColumnBuilder columns(path);
  columns.add<arrow::Int64Builder>(rows, [](const ScoreRow& row) { return row.sample_id; });
  columns.add<arrow::StringBuilder>(rows, [](const ScoreRow& row) { return std::string_view(row.path); });
  columns.add<arrow::Int32Builder>(rows, [](const ScoreRow& row) { return row.label; });
  columns.add_optional<arrow::Int32Builder>(rows, &ScoreRow::true_label);
  for (const auto member : {&ScoreRow::proxy_loss, &ScoreRow::confidence, &ScoreRow::p_mislabelled,
                            &ScoreRow::suspicion, &ScoreRow::p_given, &ScoreRow::margin}) {
    columns.add<arrow::FloatBuilder>(rows, [member](const ScoreRow& row) { return row.*member; });
  }
  columns.add<arrow::Int32Builder>(rows, [](const ScoreRow& row) { return row.suggested; });
  columns.add_lists<arrow::Int32Builder>(rows, schema->GetFieldByName("rival_labels"),
                                         [](const ScoreRow& row, const auto& append) {
                                           for (const auto& rival : row.rivals) append(rival.label);
                                         });
  columns.add_lists<arrow::FloatBuilder>(rows, schema->GetFieldByName("rival_probabilities"),
                                         [](const ScoreRow& row, const auto& append) {
                                           for (const auto& rival : row.rivals) append(rival.probability);
                                         });
  for (const auto& [name, member] : {std::pair{"near_given", &ScoreRow::near_given},
                                     std::pair{"near_suggested", &ScoreRow::near_suggested},
                                     std::pair{"duplicates", &ScoreRow::duplicates}}) {
    columns.add_lists<arrow::Int64Builder>(rows, schema->GetFieldByName(name),
                                           [member = member](const ScoreRow& row, const auto& append) {
                                             for (const auto id : row.*member) append(id);
                                           });
  }
  columns.add<arrow::Int32Builder>(rows, [](const ScoreRow& row) { return row.fold; });
  columns.add_lists<arrow::Int64Builder>(rows, schema->GetFieldByName(kNearRivals),
                                         [](const ScoreRow& row, const auto& append) {
                                           for (const auto id : row.near_rivals) append(id);
                                         });
  columns.add_places(rows, &ScoreRow::Place::x);
  columns.add_places(rows, &ScoreRow::Place::y);
  columns.add_optional<arrow::FloatBuilder>(rows, &ScoreRow::p_none);
  return arrow::Table::Make(schema, columns.take(), static_cast<std::int64_t>(rows.size()));
}

}  // namespace

struct ScoresWriter::State {
  std::filesystem::path path;
  ParquetOutput output;
  std::vector<ScoreRow> waiting;

  State(const std::filesystem::path& target, IfExists if_exists)
      : path(target), output(target, if_exists, scores_schema(), writer_properties({})) {}

  void write_group(std::size_t rows) {
    output.write(*table_from(std::span(waiting).first(rows), path));
    waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(rows));
  }
};

ScoresWriter::ScoresWriter(const std::filesystem::path& path, IfExists if_exists)
    : state_(std::make_unique<State>(path, if_exists)) {}
ScoresWriter::~ScoresWriter() = default;

void ScoresWriter::append(std::span<const ScoreRow> rows) {
  while (!rows.empty()) {
    const auto room = std::min(rows.size(), kScoreRowGroupRows - state_->waiting.size());
    state_->waiting.insert(state_->waiting.end(), rows.begin(),
                           rows.begin() + static_cast<std::ptrdiff_t>(room));
    rows = rows.subspan(room);
    if (state_->waiting.size() == kScoreRowGroupRows) state_->write_group(kScoreRowGroupRows);
  }
}

std::string ScoresWriter::close(const ScoresInfo& info) {
  if (!state_->waiting.empty()) state_->write_group(state_->waiting.size());
  nlohmann::ordered_json header;
  header["format"] = kScoresFormat;
  header["version"] = kScoresVersion;
  header["dataset"] = info.dataset;
  header["classes"] = classes_to_json(info.classes);
  header["provenance"] = to_json(info.provenance);
  header["estimates"] = info.estimates ? to_json(*info.estimates) : nlohmann::ordered_json();
  return state_->output.close(
      {{kParquetHeaderKey, header.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)}});
}

std::string ScoresWriter::finish(const ScoresInfo& info) {
  auto digest = close(info);
  state_->output.commit();
  return digest;
}

std::string ScoresWriter::finish(const ScoresInfo& info, FileChanges& changes) {
  auto digest = close(info);
  const std::shared_ptr<State> state = std::move(state_);
  changes.add(state->output.file(), state);
  return digest;
}

struct ScoresReader::State {
  std::vector<std::filesystem::path> parts;
  std::size_t part = 0;  // the one that is open
  ParquetInput input;
  ScoresInfo info;
  std::int64_t all_rows = 0;  // of all parts
  std::unique_ptr<arrow::RecordBatchReader> batches;
  std::int64_t first_row = 0;  // of the batch being read, for messages

  explicit State(const std::filesystem::path& path);
  void read_part(ParquetInput opened);
  std::vector<ScoreRow> next();
  void refuse_nulls(const arrow::RecordBatch& batch) const;
  std::vector<ScoreRow> rows_from(const arrow::RecordBatch& batch) const;
};

namespace {

bool is_list(const arrow::DataType& type) {
  return type.id() == arrow::Type::LIST || type.id() == arrow::Type::LARGE_LIST;
}

// Whether a column can be read as the expected type. Nullability and names of list elements may differ, and
// the width of text and of lists, which pandas and Polars change.
bool is_read_as(const arrow::DataType& found, const arrow::DataType& expected) {
  if (is_list(expected))
    return is_list(found) && is_read_as(*found.field(0)->type(), *expected.field(0)->type());
  return found.Equals(expected) || (is_text(found) && is_text(expected));
}

// What a file must have, so that the casts below are right.
void check_score_schema(const ParquetInput& input) {
  const auto schema = scores_schema();
  for (const auto& expected : schema->fields()) {
    if (may_be_missing(expected->name()) && input.schema->GetFieldIndex(expected->name()) < 0) continue;
    const auto& found = input.schema->field(input.column(expected->name()))->type();
    if (is_read_as(*found, *expected->type())) continue;
    throw Error(fmt::format("{}: column '{}' is {}, expected {} (docs/formats.md)", input.path.string(),
                            expected->name(), found->ToString(), expected->type()->ToString()));
  }
}

template <typename Array>
const Array& column(const arrow::RecordBatch& batch, const char* name) {
  return static_cast<const Array&>(*batch.GetColumnByName(name));
}

// A row's list: which part of the values of all rows it is.
struct ListPart {
  const arrow::Array& values;
  std::int64_t begin, end;

  bool has_null() const {
    if (values.null_count() == 0) return false;
    for (auto at = begin; at < end; ++at) {
      if (values.IsNull(at)) return true;
    }
    return false;
  }
};

ListPart list_at(const arrow::Array& array, std::int64_t row) {
  const auto part = [&](const auto& lists) {
    return ListPart{*lists.values(), lists.value_offset(row), lists.value_offset(row + 1)};
  };
  if (array.type_id() == arrow::Type::LIST) return part(static_cast<const arrow::ListArray&>(array));
  return part(static_cast<const arrow::LargeListArray&>(array));
}

template <typename Array, typename Take>
void for_each_in_list(const arrow::Array& lists, std::int64_t row, Take take) {
  const auto list = list_at(lists, row);
  const auto& values = static_cast<const Array&>(list.values);
  for (auto at = list.begin; at < list.end; ++at) take(values.Value(at));
}

std::vector<std::int64_t> ids_in_list(const arrow::Array& lists, std::int64_t row) {
  std::vector<std::int64_t> ids;
  for_each_in_list<arrow::Int64Array>(lists, row, [&](std::int64_t id) { ids.push_back(id); });
  return ids;
}

}  // namespace

ScoresReader::State::State(const std::filesystem::path& path) : parts(some_parquet_parts(path)) {
  nlohmann::ordered_json header;
  for (const auto& file : parts) {
    auto opened = open_parquet(file);
    auto found = opened.header(kScoresFormat, kScoresVersion);
    check_score_schema(opened);
    all_rows += opened.rows();
    if (header.is_null()) {
      header = std::move(found);
      read_part(std::move(opened));
      continue;
    }
    for (const auto* key : {"dataset", "classes", "estimates"}) {
      if (found.value(key, nlohmann::ordered_json()) != header.value(key, nlohmann::ordered_json()))
        throw Error(fmt::format("{} and {} are no parts of the same scores: their {} differ",
                                parts.front().string(), file.string(), key));
    }
  }
  info.classes = classes_from_json(header, parts.front());
  info.dataset = header["dataset"].get<std::string>();
  info.provenance = scores_provenance_from_json(header.value("provenance", nlohmann::ordered_json()));
  if (const auto found = header.find("estimates"); found != header.end() && !found->is_null())
    info.estimates = score_estimates_from_json(*found, info.classes.size(), parts.front());
}

void ScoresReader::State::read_part(ParquetInput opened) {
  input = std::move(opened);
  input.reader->set_batch_size(1 << 14);
  batches = require(input.reader->GetRecordBatchReader(), "read", input.path);
  first_row = 0;
}

std::vector<ScoreRow> ScoresReader::State::next() {
  for (;;) {
    const auto batch = require(batches->Next(), "read", input.path);
    if (batch && batch->num_rows() > 0) {
      auto found = rows_from(*batch);
      first_row += batch->num_rows();
      return found;
    }
    if (batch) continue;
    if (part + 1 == parts.size()) return {};
    batches.reset();  // it reads from the file that goes
    read_part(open_parquet(parts[++part]));
  }
}

void ScoresReader::State::refuse_nulls(const arrow::RecordBatch& batch) const {
  const auto schema = scores_schema();
  for (const auto& field : schema->fields()) {
    if (field->nullable() || !batch.GetColumnByName(field->name())) continue;
    const auto& array = *batch.GetColumnByName(field->name());
    const bool has_lists = is_list(*array.type());
    if (!has_lists && array.null_count() == 0) continue;
    for (std::int64_t row = 0; row < array.length(); ++row) {
      if (array.IsNull(row))
        throw Error(
            fmt::format("{}: {} is null in row {}", input.path.string(), field->name(), first_row + row));
      if (has_lists && list_at(array, row).has_null())
        throw Error(fmt::format("{}: {} holds a null in row {}", input.path.string(), field->name(),
                                first_row + row));
    }
  }
}

std::vector<ScoreRow> ScoresReader::State::rows_from(const arrow::RecordBatch& batch) const {
  refuse_nulls(batch);
  const auto& ids = column<arrow::Int64Array>(batch, "sample_id");
  const auto& paths = column<arrow::Array>(batch, "path");
  const auto& labels = column<arrow::Int32Array>(batch, "label");
  const auto& true_labels = column<arrow::Int32Array>(batch, "true_label");
  const auto& suggested = column<arrow::Int32Array>(batch, "suggested");
  const auto& folds = column<arrow::Int32Array>(batch, "fold");
  const auto& rival_labels = column<arrow::Array>(batch, "rival_labels");
  const auto& rival_probabilities = column<arrow::Array>(batch, "rival_probabilities");
  const auto& near_given = column<arrow::Array>(batch, "near_given");
  const auto& near_suggested = column<arrow::Array>(batch, "near_suggested");
  const auto& duplicates = column<arrow::Array>(batch, "duplicates");
  const auto near_rivals = batch.GetColumnByName(kNearRivals);
  const auto map_x = batch.GetColumnByName(kMapX), map_y = batch.GetColumnByName(kMapY);
  const auto none = batch.GetColumnByName(kNone);
  const auto classes = static_cast<std::int32_t>(info.classes.size());
  const auto check_label = [&](std::int32_t label, std::int64_t id) {
    if (label >= kUnlabelled && label < classes) return;
    throw Error(fmt::format("{}: class {} of sample {} is not one of the file's {} classes",
                            input.path.string(), label, id, classes));
  };
  std::vector<ScoreRow> rows(static_cast<std::size_t>(batch.num_rows()));
  for (std::int64_t i = 0; i < batch.num_rows(); ++i) {
    auto& row = rows[static_cast<std::size_t>(i)];
    row.sample_id = ids.Value(i);
    row.path = text_at(paths, i);
    row.label = labels.Value(i);
    if (true_labels.IsValid(i)) row.true_label = true_labels.Value(i);
    row.suggested = suggested.Value(i);
    row.fold = folds.Value(i);
    for_each_in_list<arrow::Int32Array>(rival_labels, i, [&](std::int32_t label) {
      check_label(label, row.sample_id);
      row.rivals.push_back({label, 0});
    });
    std::size_t rival = 0;
    for_each_in_list<arrow::FloatArray>(rival_probabilities, i, [&](float probability) {
      if (rival < row.rivals.size()) row.rivals[rival].probability = probability;
      ++rival;
    });
    if (rival != row.rivals.size()) {
      throw Error(fmt::format("{}: sample {} has {} rival labels and {} rival probabilities",
                              input.path.string(), row.sample_id, row.rivals.size(), rival));
    }
    row.near_given = ids_in_list(near_given, i);
    row.near_suggested = ids_in_list(near_suggested, i);
    row.duplicates = ids_in_list(duplicates, i);
    if (near_rivals) row.near_rivals = ids_in_list(*near_rivals, i);
    if (map_x && map_y && map_x->IsValid(i) && map_y->IsValid(i))
      row.place = {static_cast<const arrow::FloatArray&>(*map_x).Value(i),
                   static_cast<const arrow::FloatArray&>(*map_y).Value(i)};
    if (none && none->IsValid(i)) row.p_none = static_cast<const arrow::FloatArray&>(*none).Value(i);
    check_label(row.label, row.sample_id);
    check_label(row.suggested, row.sample_id);
    if (row.true_label && row.true_label != kNoneOfThese) check_label(*row.true_label, row.sample_id);
  }
  for (const auto& [name, member] :
       {std::pair{"proxy_loss", &ScoreRow::proxy_loss}, std::pair{"confidence", &ScoreRow::confidence},
        std::pair{"p_mislabelled", &ScoreRow::p_mislabelled}, std::pair{"suspicion", &ScoreRow::suspicion},
        std::pair{"p_given", &ScoreRow::p_given}, std::pair{"margin", &ScoreRow::margin}}) {
    const auto& values = column<arrow::FloatArray>(batch, name);
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i].*member = values.Value(static_cast<std::int64_t>(i));
  }
  return rows;
}

ScoresReader::ScoresReader(const std::filesystem::path& path) : state_(std::make_unique<State>(path)) {}
ScoresReader::~ScoresReader() = default;
ScoresReader::ScoresReader(ScoresReader&&) noexcept = default;

const ScoresInfo& ScoresReader::info() const { return state_->info; }
std::int64_t ScoresReader::rows() const { return state_->all_rows; }

std::vector<ScoreRow> ScoresReader::next() {
  try {
    return state_->next();
  } catch (const parquet::ParquetException& exception) {
    throw Error(fmt::format("{} is damaged: {}", state_->input.path.string(), exception.what()));
  }
}

}  // namespace procsim
