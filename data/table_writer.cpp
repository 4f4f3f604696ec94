#include "data/table_writer.hpp"

#include <cassert>

#include "data/parquet_io.hpp"

namespace procsim {
namespace {

std::shared_ptr<arrow::Schema> make_schema(const std::vector<TableWriter::Column>& columns) {
  arrow::FieldVector fields;
  for (const auto& column : columns) {
    const auto type = column.type == TableWriter::Type::kInt32    ? arrow::int32()
                      : column.type == TableWriter::Type::kDouble ? arrow::float64()
                                                                  : arrow::utf8();
    fields.push_back(arrow::field(column.name, type, /*nullable=*/false));
  }
  return arrow::schema(fields);
}

std::vector<std::string> names_of(const std::vector<TableWriter::Column>& columns) {
  std::vector<std::string> names;
  for (const auto& column : columns) names.push_back(column.name);
  return names;
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
        output(target, if_exists, schema, writer_properties(names_of(columns))) {}
};

TableWriter::TableWriter(const std::filesystem::path& path, IfExists if_exists, std::vector<Column> columns)
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
  return state_->output.finish(key, value);
}

}  // namespace procsim
