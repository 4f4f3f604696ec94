#include <algorithm>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/utf8.hpp"
#include "data/files/arrow_values.hpp"
#include "data/files/file_name.hpp"
#include "data/files/parquet_io.hpp"
#include "data/files/table.hpp"

namespace procsim {
namespace {

// One column of one file, for messages.
struct Place {
  const std::filesystem::path& path;
  const std::string& column;
  const arrow::ChunkedArray* sample_ids;  // nullptr where the file has none

  // A row, counted from 0, as people are told of it.
  std::string row(std::int64_t index) const {
    if (sample_ids == nullptr) return fmt::format("row {}", index + 1);
    const auto id = require(sample_ids->GetScalar(index), "read", path);
    return fmt::format("row {} (sample {})", index + 1, id->ToString());
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("{}, column '{}': {}", path.string(), column, what));
  }
  void refuse_nulls(const arrow::Array& array, std::int64_t first_row) const {
    if (array.null_count() == 0) return;
    for (std::int64_t i = 0; i < array.length(); ++i) {
      if (array.IsNull(i)) fail(row(first_row + i) + " has no value");
    }
  }
};

std::vector<std::int32_t> read_int32(const arrow::ChunkedArray& column, const Place& place) {
  std::vector<std::int32_t> values;
  values.reserve(static_cast<std::size_t>(column.length()));
  for (const auto& chunk : column.chunks()) {
    place.refuse_nulls(*chunk, static_cast<std::int64_t>(values.size()));
    const auto& numbers = static_cast<const arrow::Int32Array&>(*chunk);
    values.insert(values.end(), numbers.raw_values(), numbers.raw_values() + numbers.length());
  }
  return values;
}

template <typename Value>
std::vector<Value> read_numbers(const arrow::ChunkedArray& column, const Place& place) {
  std::vector<Value> values;
  values.reserve(static_cast<std::size_t>(column.length()));
  for (const auto& chunk : column.chunks()) {
    place.refuse_nulls(*chunk, static_cast<std::int64_t>(values.size()));
    each_number(*chunk, [&](std::int64_t, auto number) {
      if constexpr (std::is_same_v<decltype(number), std::uint64_t> && std::is_integral_v<Value>) {
        if (number > static_cast<std::uint64_t>(std::numeric_limits<Value>::max())) {
          place.fail(fmt::format("row {} is {}, larger than a 64-bit integer", values.size() + 1, number));
        }
      }
      values.push_back(static_cast<Value>(number));
    });
  }
  return values;
}

std::vector<std::string> read_text(const arrow::ChunkedArray& column, const Place& place) {
  std::vector<std::string> values;
  values.reserve(static_cast<std::size_t>(column.length()));
  for (const auto& chunk : column.chunks()) {
    place.refuse_nulls(*chunk, static_cast<std::int64_t>(values.size()));
    for (std::int64_t i = 0; i < chunk->length(); ++i) {
      const auto text = text_at(*chunk, i);
      if (!is_utf8(text)) place.fail(fmt::format("row {} is not UTF-8", values.size() + 1));
      values.emplace_back(text);
    }
  }
  return values;
}

// Appends the numbers of a list array, checking that every row has `lists.width` of them (set by the first
// row). `all_rows`: of the column.
template <typename ListArray>
void append_lists(const arrow::Array& array, const Place& place, std::int64_t first_row,
                  std::int64_t all_rows, TableColumn::FloatLists& lists) {
  place.refuse_nulls(array, first_row);
  const auto& rows = static_cast<const ListArray&>(array);
  if (rows.length() == 0) return;
  if (first_row == 0) lists.width = rows.value_length(0);
  if (lists.width == 0) place.fail(place.row(first_row) + " is an empty list");
  for (std::int64_t i = 0; i < rows.length(); ++i) {
    if (rows.value_length(i) != lists.width) {
      place.fail(fmt::format("{} has {} numbers where the first has {}", place.row(first_row + i),
                             rows.value_length(i), lists.width));
    }
  }
  // Embeddings of a million samples are gigabytes: no room that grows by doubling.
  if (first_row == 0) lists.values.reserve(static_cast<std::size_t>(all_rows * lists.width));
  const auto numbers = rows.values()->Slice(rows.value_offset(0), rows.length() * lists.width);
  for (std::int64_t i = 0; numbers->null_count() != 0 && i < numbers->length(); ++i) {
    if (numbers->IsNull(i))
      place.fail(fmt::format("number {} of {} is empty", i % lists.width + 1,
                             place.row(first_row + i / lists.width)));
  }
  each_number(*numbers,
              [&](std::int64_t, auto number) { lists.values.push_back(static_cast<float>(number)); });
}

TableColumn::FloatLists read_lists(const arrow::ChunkedArray& column, const Place& place) {
  TableColumn::FloatLists lists;
  std::int64_t row = 0;
  for (const auto& chunk : column.chunks()) {
    switch (chunk->type_id()) {
      case arrow::Type::LIST:
        append_lists<arrow::ListArray>(*chunk, place, row, column.length(), lists);
        break;
      case arrow::Type::LARGE_LIST:
        append_lists<arrow::LargeListArray>(*chunk, place, row, column.length(), lists);
        break;
      default:
        append_lists<arrow::FixedSizeListArray>(*chunk, place, row, column.length(), lists);
        break;
    }
    row += chunk->length();
  }
  return lists;
}

bool is_number(const arrow::DataType& type) {
  return arrow::is_integer(type.id()) || arrow::is_floating(type.id());
}

TableColumn::Values read_values(const arrow::ChunkedArray& column, const Place& place) {
  const auto& type = *column.type();
  if (type.id() == arrow::Type::INT32) return read_int32(column, place);
  if (arrow::is_integer(type.id())) return read_numbers<std::int64_t>(column, place);
  if (arrow::is_floating(type.id())) return read_numbers<double>(column, place);
  if (is_text(type)) return read_text(column, place);
  const bool is_list = type.id() == arrow::Type::LIST || type.id() == arrow::Type::LARGE_LIST ||
                       type.id() == arrow::Type::FIXED_SIZE_LIST;
  if (is_list && is_number(*static_cast<const arrow::BaseListType&>(type).value_type())) {
    return read_lists(column, place);
  }
  place.fail(
      fmt::format("its type is {}; expected integers, floats, text, or lists of numbers", type.ToString()));
}

std::shared_ptr<arrow::Array> finish(arrow::ArrayBuilder& builder, const std::filesystem::path& path) {
  return require(builder.Finish(), "write", path);
}

std::shared_ptr<arrow::Array> make_array(const TableColumn::Values& values,
                                         const std::filesystem::path& path) {
  const auto flat = [&](auto&& builder, const auto& items) {
    require(builder.AppendValues(items), "write", path);
    return finish(builder, path);
  };
  if (const auto* items = std::get_if<0>(&values)) return flat(arrow::Int32Builder(), *items);
  if (const auto* items = std::get_if<1>(&values)) return flat(arrow::Int64Builder(), *items);
  if (const auto* items = std::get_if<2>(&values)) return flat(arrow::DoubleBuilder(), *items);
  if (const auto* items = std::get_if<3>(&values)) return flat(arrow::LargeStringBuilder(), *items);
  const auto& lists = std::get<TableColumn::FloatLists>(values);
  const auto numbers = flat(arrow::FloatBuilder(), lists.values);
  const auto type = arrow::fixed_size_list(arrow::field("item", arrow::float32(), false),
                                           static_cast<std::int32_t>(lists.width));
  return require(arrow::FixedSizeListArray::FromArrays(numbers, type), "write", path);
}

Table read_part(const std::filesystem::path& path) {
  const auto input = open_parquet(path);
  const auto content = require(input.reader->ReadTable(), "read", path);
  const auto sample_ids = content->GetColumnByName("sample_id");
  Table table;
  for (int i = 0; i < content->num_columns(); ++i) {
    const auto& name = content->field(i)->name();
    table.columns.push_back({name, read_values(*content->column(i), {path, name, sample_ids.get()})});
  }
  if (const auto metadata = content->schema()->metadata()) {
    for (std::int64_t i = 0; i < metadata->size(); ++i) {
      if (metadata->key(i) != "ARROW:schema") table.metadata[metadata->key(i)] = metadata->value(i);
    }
  }
  return table;
}

void append(TableColumn& column, const TableColumn& more, const std::filesystem::path& path) {
  const auto refuse = [&](const std::string& why) {
    throw Error(fmt::format("{}: column '{}' {} in the parts before it", path.string(), column.name, why));
  };
  if (column.values.index() != more.values.index()) refuse("has another type than");
  std::visit(
      [&](auto& values) {
        const auto& others = std::get<std::decay_t<decltype(values)>>(more.values);
        if constexpr (std::is_same_v<std::decay_t<decltype(values)>, TableColumn::FloatLists>) {
          if (values.width != 0 && others.width != 0 && values.width != others.width)
            refuse(fmt::format("has lists of {} numbers, not {} as", others.width, values.width));
          if (values.width == 0) values.width = others.width;
          values.values.insert(values.values.end(), others.values.begin(), others.values.end());
        } else {
          values.insert(values.end(), others.begin(), others.end());
        }
      },
      column.values);
}

}  // namespace

Table read_parquet_table(const std::filesystem::path& path) {
  const auto parts = some_parquet_parts(path);
  auto table = read_part(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto part = read_part(parts[i]);
    for (auto& column : table.columns) {
      const auto* more = part.find(column.name);
      if (more == nullptr)
        throw Error(fmt::format("{} has no column '{}', which {} has", parts[i].string(), column.name,
                                parts.front().string()));
      append(column, *more, parts[i]);
    }
  }
  return table;
}

void write_parquet_table(const std::filesystem::path& path, const Table& table, IfExists if_exists) {
  std::vector<std::shared_ptr<arrow::Field>> fields;
  std::vector<std::shared_ptr<arrow::Array>> arrays;
  for (const auto& column : table.columns) {
    if (column.rows() != table.rows()) {
      throw Error(fmt::format("cannot write {}: column '{}' has {} rows where the first has {}",
                              path.string(), column.name, column.rows(), table.rows()));
    }
    arrays.push_back(make_array(column.values, path));
    fields.push_back(arrow::field(column.name, arrays.back()->type(), false));
  }
  auto metadata = std::make_shared<arrow::KeyValueMetadata>();
  for (const auto& [key, value] : table.metadata) metadata->Append(key, value);
  const auto content = arrow::Table::Make(arrow::schema(fields, metadata), arrays, table.rows());

  AtomicFile target(path, if_exists);
  const auto out = require(arrow::io::FileOutputStream::Open(target.path().string()), "write", path);
  const auto arrow_properties = parquet::ArrowWriterProperties::Builder().store_schema()->build();
  constexpr std::int64_t kRowsPerGroup = 1 << 16;
  require(parquet::arrow::WriteTable(*content, arrow::default_memory_pool(), out, kRowsPerGroup,
                                     writer_properties({}), arrow_properties),
          "write", path);
  require(out->Close(), "write", path);
  target.commit();
}

}  // namespace procsim
