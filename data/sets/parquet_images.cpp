#include "data/sets/parquet_images.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>
#include <parquet/arrow/schema.h>
#include <parquet/column_reader.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <parquet/statistics.h>

#include "data/base/error.hpp"
#include "data/base/words.hpp"
#include "data/files/arrow_values.hpp"
#include "data/files/reading_memory.hpp"

namespace procsim {
namespace {

bool is_bytes(const arrow::DataType& type) {
  return type.id() == arrow::Type::BINARY || type.id() == arrow::Type::LARGE_BINARY ||
         type.id() == arrow::Type::BINARY_VIEW;
}

const parquet::FileMetaData& metadata_of(const ParquetInput& input) {
  return *input.reader->parquet_reader()->metadata();
}

// As the statistics say; empty when there are none.
std::optional<std::int64_t> null_count(const parquet::ColumnChunkMetaData& chunk) {
  const auto statistics = chunk.is_stats_set() ? chunk.statistics() : nullptr;
  if (!statistics || !statistics->HasNullCount()) return std::nullopt;
  return statistics->null_count();
}

void require_one_value_a_row(const parquet::ColumnDescriptor& column) {
  if (column.physical_type() == parquet::Type::BYTE_ARRAY && column.max_repetition_level() == 0) return;
  throw parquet::ParquetException("the column does not hold one text or byte value a row");
}

}  // namespace

std::optional<ImageColumn> image_column(const ParquetInput& input, int field) {
  const auto& described = input.schema->field(field);
  const auto& leaves = input.reader->manifest().schema_fields[static_cast<std::size_t>(field)];
  if (is_bytes(*described->type())) return ImageColumn{field, described->name(), leaves.column_index, -1};
  if (described->type()->id() != arrow::Type::STRUCT) return std::nullopt;
  ImageColumn column{field, described->name(), -1, -1};
  for (const auto& child : leaves.children) {
    if (child.field->name() == "bytes" && is_bytes(*child.field->type()))
      column.bytes_leaf = child.column_index;
    if (child.field->name() == "path" && is_text(*child.field->type())) {
      column.path_leaf = child.column_index;
    }
  }
  if (column.bytes_leaf < 0) return std::nullopt;
  return column;
}

std::optional<ImageColumn> first_image_column(const ParquetInput& input) {
  for (int i = 0; i < input.schema->num_fields(); ++i) {
    if (auto column = image_column(input, i)) return column;
  }
  return std::nullopt;
}

bool has_no_bytes(const ParquetInput& input, const ImageColumn& column) {
  const auto& metadata = metadata_of(input);
  for (int i = 0; i < metadata.num_row_groups(); ++i) {
    const auto chunk = metadata.RowGroup(i)->ColumnChunk(column.bytes_leaf);
    if (null_count(*chunk) != chunk->num_values()) return false;
  }
  return true;
}

ParquetImageFile::ParquetImageFile(const std::filesystem::path& path) : input_(open_mapped_parquet(path)) {}

ParquetImageFile::Image ParquetImageFile::read(std::int64_t row, std::string_view name) const {
  if (row < 0 || row >= input_.rows()) {
    throw Error(fmt::format("{} has {} rows, there is no row {}", input_.path.string(), input_.rows(), row));
  }
  const auto column = column_named(name);
  try {
    Image image{read_leaf(column.bytes_leaf, row), {}};
    if (!image.bytes && column.path_leaf >= 0) image.path = read_leaf(column.path_leaf, row).value_or("");
    return image;
  } catch (const parquet::ParquetException& exception) {
    throw Error(
        fmt::format("cannot read row {} of {}: {}", row, input_.path.string(), first_line(exception.what())));
  }
}

std::map<std::int64_t, std::string> ParquetImageFile::rows_without_bytes(std::string_view name) const {
  const auto column = column_named(name);
  std::map<std::int64_t, std::string> rows;
  try {
    std::int64_t first = 0;
    const auto& metadata = metadata_of(input_);
    for (int group = 0; group < metadata.num_row_groups(); first += metadata.RowGroup(group++)->num_rows()) {
      if (null_count(*metadata.RowGroup(group)->ColumnChunk(column.bytes_leaf)) == 0) continue;
      each_value(group, column.bytes_leaf, [&](std::int64_t row, auto bytes) {
        if (!bytes) rows.emplace_hint(rows.end(), first + row, std::string());
      });
      if (column.path_leaf < 0) continue;
      each_value(group, column.path_leaf, [&](std::int64_t row, auto path) {
        const auto found = path ? rows.find(first + row) : rows.end();
        if (found != rows.end()) found->second = *path;
      });
    }
  } catch (const parquet::ParquetException& exception) {
    throw Error(fmt::format("cannot read {}: {}", input_.path.string(), first_line(exception.what())));
  }
  return rows;
}

ImageColumn ParquetImageFile::column_named(std::string_view name) const {
  const auto column = name.empty() ? first_image_column(input_) : image_column(input_, input_.column(name));
  if (!column) throw Error(fmt::format("{} has no column of images", input_.path.string()));
  return *column;
}

// Visits a leaf column's values in order, with their rows in the group.
void ParquetImageFile::each_value(int group, int leaf, const Visit& visit) const {
  const auto& described = *metadata_of(input_).schema()->Column(leaf);
  require_one_value_a_row(described);
  const auto reader = input_.reader->parquet_reader()->RowGroup(group)->Column(leaf);
  auto& column = static_cast<parquet::ByteArrayReader&>(*reader);
  constexpr std::int64_t kAtOnce = 256;
  std::array<std::int16_t, kAtOnce> levels{};
  std::array<parquet::ByteArray, kAtOnce> values;
  for (std::int64_t row = 0; column.HasNext();) {
    std::int64_t present = 0;
    const auto rows = column.ReadBatch(kAtOnce, levels.data(), nullptr, values.data(), &present);
    std::size_t next = 0;
    for (std::int64_t i = 0; i < rows; ++i, ++row) {
      // Values come without gaps; the levels say which rows they belong to. A required column has no levels.
      if (present < rows && levels[static_cast<std::size_t>(i)] < described.max_definition_level()) {
        visit(row, std::nullopt);
        continue;
      }
      const auto& value = values[next++];
      visit(row, std::string_view(reinterpret_cast<const char*>(value.ptr), value.len));
    }
  }
}

std::optional<std::string> ParquetImageFile::read_leaf(int leaf, std::int64_t row) const {
  const auto& metadata = metadata_of(input_);
  int group = 0;
  while (row >= metadata.RowGroup(group)->num_rows()) row -= metadata.RowGroup(group++)->num_rows();

  const auto* described = metadata.schema()->Column(leaf);
  auto pages = input_.reader->parquet_reader()->RowGroup(group)->GetColumnPageReader(leaf);
  std::int64_t skipped = 0;  // rows in the pages left out; an image column has one value a row
  pages->set_data_page_filter([&](const parquet::DataPageStats& page) {
    if (skipped + page.num_values > row) return false;
    skipped += page.num_values;
    return true;
  });
  const auto reader = parquet::ColumnReader::Make(described, std::move(pages));
  require_one_value_a_row(*described);
  auto& values = static_cast<parquet::ByteArrayReader&>(*reader);
  if (!values.HasNext()) throw parquet::ParquetException("the column ends before this row");
  values.Skip(row - skipped);
  std::int16_t level = 0;
  parquet::ByteArray value;
  std::int64_t count = 0;
  if (!values.HasNext() || values.ReadBatch(1, &level, nullptr, &value, &count) != 1) {
    throw parquet::ParquetException("the column ends before this row");
  }
  if (count == 0) return std::nullopt;
  if (value.len > kMostImageBytes)
    throw parquet::ParquetException(
        fmt::format("it holds {} MB, and an image may have {} MB", value.len >> 20, kMostImageBytes >> 20));
  return std::string(reinterpret_cast<const char*>(value.ptr), value.len);
}

}  // namespace procsim
