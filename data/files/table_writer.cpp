#include "data/files/table_writer.hpp"

#include <cassert>

#include "data/files/parquet_io.hpp"

namespace procsim {
namespace {

std::shared_ptr<arrow::Schema> make_schema(const std::vector<TableWriter::Column>& columns) {
  arrow::FieldVector fields;
  for (const auto& column : columns) {
    const bool is_text = column.type == TableWriter::Type::kText,
               is_real = column.type == TableWriter::Type::kDouble;
    const auto type = is_text ? arrow::utf8() : is_real ? arrow::float64() : arrow::int32();
    fields.push_back(arrow::field(column.name, type, /*nullable=*/false));
  }
  return arrow::schema(fields);
}

// Few values in many rows: dictionaries, but for counters.
std::shared_ptr<parquet::WriterProperties> make_properties(const std::vector<TableWriter::Column>& columns) {
  std::vector<std::string> with_dictionary;
  for (const auto& column : columns) {
    if (column.type != TableWriter::Type::kCounter) with_dictionary.push_back(column.name);
  }
  parquet::WriterProperties::Builder builder(*writer_properties(with_dictionary));
  for (const auto& column : columns) {
    if (column.type == TableWriter::Type::kCounter) {
      builder.encoding(column.name, parquet::Encoding::DELTA_BINARY_PACKED);
    }
  }
  return builder.build();
}

template <typename Array, typename Value>
std::shared_ptr<arrow::Array> wrap(std::span<const Value> values) {
  return std::make_shared<Array>(static_cast<std::int64_t>(values.size()),
                                 arrow::Buffer::Wrap(values.data(), values.size()));
}

std::shared_ptr<arrow::Array> text_array(std::span<const std::string> values,
                                         const std::filesystem::path& path) {
  arrow::StringBuilder builder;
  for (const auto& value : values) require(builder.Append(value), "write", path);
  return require(builder.Finish(), "write", path);
}

}  // namespace

struct TableWriter::State {
  std::filesystem::path path;
  std::shared_ptr<arrow::Schema> schema;
  ParquetOutput output;

  State(const std::filesystem::path& target, IfExists if_exists, const std::vector<Column>& columns)
      : path(target),
        schema(make_schema(columns)),
        output(target, if_exists, schema, make_properties(columns)) {}
};

TableWriter::TableWriter(const std::filesystem::path& path, IfExists if_exists,
                         const std::vector<Column>& columns)
    : state_(std::make_unique<State>(path, if_exists, columns)) {}

TableWriter::~TableWriter() = default;

void TableWriter::append(std::span<const Values> columns) {
  assert(static_cast<int>(columns.size()) == state_->schema->num_fields());
  arrow::ArrayVector arrays;
  for (const auto& values : columns) {
    if (const auto* numbers = std::get_if<std::span<const std::int32_t>>(&values)) {
      arrays.push_back(wrap<arrow::Int32Array>(*numbers));
    } else if (const auto* reals = std::get_if<std::span<const double>>(&values)) {
      arrays.push_back(wrap<arrow::DoubleArray>(*reals));
    } else {
      arrays.push_back(text_array(std::get<std::span<const std::string>>(values), state_->path));
    }
  }
  state_->output.write(*arrow::Table::Make(state_->schema, arrays));
}

std::string TableWriter::finish(const std::string& key, const std::string& value) {
  return state_->output.finish({{key, value}});
}

}  // namespace procsim
