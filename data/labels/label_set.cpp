#include "data/labels/label_set.hpp"

#include <unordered_map>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/number.hpp"
#include "data/base/suggest.hpp"
#include "data/labels/label_columns.hpp"

namespace procsim {

std::vector<std::string> LabelSetInfo::class_names() const {
  std::vector<std::string> names;
  names.reserve(classes.size());
  for (const auto& entry : classes) names.push_back(entry.name);
  return names;
}

std::int32_t LabelSetInfo::label_of(std::string_view name) const {
  const auto find = [&](auto member) -> std::optional<std::int32_t> {
    for (std::size_t label = 0; label < classes.size(); ++label) {
      if (classes[label].*member == name) return static_cast<std::int32_t>(label);
    }
    return std::nullopt;
  };
  if (const auto label = find(&LabelClass::name)) return *label;
  if (const auto label = find(&LabelClass::published)) return *label;
  const auto index = parse_number<std::int32_t>(name);
  if (index && *index >= 0 && static_cast<std::size_t>(*index) < classes.size()) return *index;
  throw Error(fmt::format("unknown class '{}'{}", name, did_you_mean(name, class_names())));
}

LabelBatch::LabelBatch(std::shared_ptr<const Columns> columns) : columns_(std::move(columns)) {}

std::int64_t LabelBatch::rows() const { return columns_->rows; }

std::span<const std::int64_t> LabelBatch::sample_ids() const {
  return {columns_->sample_ids->raw_values(), static_cast<std::size_t>(rows())};
}

std::span<const std::int32_t> LabelBatch::labels() const {
  return {columns_->labels->raw_values(), static_cast<std::size_t>(rows())};
}

bool LabelBatch::has_true_label(std::int64_t row) const {
  return columns_->true_labels && columns_->true_labels->IsValid(row);
}

std::optional<std::int32_t> LabelBatch::true_label(std::int64_t row) const {
  if (!has_true_label(row)) return std::nullopt;
  return columns_->true_labels->Value(row);
}

std::string_view LabelBatch::path(std::int64_t row) const {
  return columns_->paths ? columns_->paths->GetView(row) : std::string_view{};
}

std::string_view LabelBatch::split(std::int64_t row) const {
  const auto code = (*columns_->split_codes)[static_cast<std::size_t>(row)];
  return (*columns_->split_names)[static_cast<std::size_t>(code)];
}

namespace {

std::shared_ptr<arrow::Int32Array> int32_array(std::vector<std::int32_t> values) {
  const auto rows = static_cast<std::int64_t>(values.size());
  return std::make_shared<arrow::Int32Array>(rows, arrow::Buffer::FromVector(std::move(values)));
}

// kUnlabelled becomes null.
std::shared_ptr<arrow::Int32Array> nullable_int32_array(std::vector<std::int32_t> values) {
  const auto rows = static_cast<std::int64_t>(values.size());
  std::vector<std::uint8_t> valid((values.size() + 7) / 8, 0);
  std::int64_t nulls = 0;
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (values[row] == kUnlabelled) {
      values[row] = 0;
      ++nulls;
    } else {
      valid[row / 8] = static_cast<std::uint8_t>(valid[row / 8] | 1u << (row % 8));
    }
  }
  auto validity = nulls == 0 ? nullptr : arrow::Buffer::FromVector(std::move(valid));
  return std::make_shared<arrow::Int32Array>(rows, arrow::Buffer::FromVector(std::move(values)),
                                             std::move(validity), nulls);
}

std::shared_ptr<arrow::Int64Array> int64_array(std::vector<std::int64_t> values) {
  const auto rows = static_cast<std::int64_t>(values.size());
  return std::make_shared<arrow::Int64Array>(rows, arrow::Buffer::FromVector(std::move(values)));
}

// Offsets of a string array are 32-bit; a batch is far smaller than that by construction.
std::shared_ptr<arrow::StringArray> string_array(const std::vector<std::string_view>& values) {
  arrow::StringBuilder builder;
  std::int64_t bytes = 0;
  for (const auto value : values) bytes += static_cast<std::int64_t>(value.size());
  auto status = builder.Reserve(static_cast<std::int64_t>(values.size()));
  if (status.ok()) status = builder.ReserveData(bytes);
  if (!status.ok()) throw Error(fmt::format("a batch of paths is too large: {}", status.message()));
  for (const auto value : values) builder.UnsafeAppend(value);
  std::shared_ptr<arrow::StringArray> array;
  status = builder.Finish(&array);
  if (!status.ok()) throw Error(fmt::format("a batch of paths is too large: {}", status.message()));
  return array;
}

// Names in the order of their first appearance, and each row's index into them.
class SplitCodes {
 public:
  void add(std::string_view name) {
    auto found = index_.find(name);
    if (found == index_.end()) {
      found = index_.emplace(std::string(name), static_cast<std::int32_t>(names_.size())).first;
      names_.emplace_back(name);
    }
    codes_.push_back(found->second);
  }
  void into(LabelBatch::Columns& columns) {
    columns.split_names = std::make_shared<const std::vector<std::string>>(std::move(names_));
    columns.split_codes = std::make_shared<const std::vector<std::int32_t>>(std::move(codes_));
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> index_;
  std::vector<std::string> names_;
  std::vector<std::int32_t> codes_;
};

}  // namespace

LabelBatch LabelBatch::relabelled(std::vector<std::int32_t> labels,
                                  std::vector<std::int32_t> true_labels) const {
  auto columns = std::make_shared<Columns>(*columns_);
  columns->labels = int32_array(std::move(labels));
  columns->true_labels = nullable_int32_array(std::move(true_labels));
  return LabelBatch(std::move(columns));
}

LabelBatch LabelBatch::select(std::span<const std::int64_t> rows) const {
  auto columns = std::make_shared<Columns>();
  columns->rows = static_cast<std::int64_t>(rows.size());
  std::vector<std::int64_t> ids;
  std::vector<std::int32_t> labels, true_labels, codes;
  std::vector<std::string_view> paths;
  for (const auto row : rows) {
    const auto at = static_cast<std::size_t>(row);
    ids.push_back(sample_ids()[at]);
    labels.push_back(this->labels()[at]);
    codes.push_back((*columns_->split_codes)[at]);
    if (columns_->true_labels) true_labels.push_back(true_label(row).value_or(kUnlabelled));
    if (columns_->paths) paths.push_back(path(row));
  }
  columns->sample_ids = int64_array(std::move(ids));
  columns->labels = int32_array(std::move(labels));
  columns->split_names = columns_->split_names;
  columns->split_codes = std::make_shared<const std::vector<std::int32_t>>(std::move(codes));
  if (columns_->true_labels) columns->true_labels = nullable_int32_array(std::move(true_labels));
  if (columns_->paths) columns->paths = string_array(paths);
  return LabelBatch(std::move(columns));
}

LabelBatch make_label_batch(std::span<const LabelRow> rows) {
  auto columns = std::make_shared<LabelBatch::Columns>();
  columns->rows = static_cast<std::int64_t>(rows.size());
  std::vector<std::int64_t> ids;
  std::vector<std::int32_t> labels, true_labels;
  std::vector<std::string_view> paths;
  SplitCodes splits;
  for (const auto& row : rows) {
    ids.push_back(row.sample_id);
    labels.push_back(row.label);
    true_labels.push_back(row.true_label.value_or(kUnlabelled));
    paths.push_back(row.path);
    splits.add(row.split);
  }
  columns->sample_ids = int64_array(std::move(ids));
  columns->labels = int32_array(std::move(labels));
  columns->true_labels = nullable_int32_array(std::move(true_labels));
  columns->paths = string_array(paths);
  splits.into(*columns);
  return LabelBatch(std::move(columns));
}

LabelSet read_label_set(const std::filesystem::path& path, LabelReadOptions options) {
  options.unique_ids = true;
  LabelSetReader reader(path, std::move(options));
  LabelSet set{reader.info(), {}};
  while (const auto batch = reader.next()) {
    for (std::int64_t row = 0; row < batch->rows(); ++row) {
      const auto at = static_cast<std::size_t>(row);
      set.rows.push_back({batch->sample_ids()[at], std::string(batch->path(row)),
                          std::string(batch->split(row)), batch->labels()[at], batch->true_label(row)});
    }
  }
  return set;
}

std::string write_label_set(const std::filesystem::path& path, const LabelSet& set, IfExists if_exists) {
  LabelSetWriter writer(path, if_exists);
  writer.append(set.rows);
  return writer.finish(set.info);
}

}  // namespace procsim
