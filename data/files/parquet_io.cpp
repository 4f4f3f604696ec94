#include "data/files/parquet_io.hpp"

#include <algorithm>
#include <limits>

#include <arrow/ipc/writer.h>
#include <fmt/format.h>
#include <parquet/arrow/schema.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>

#include "data/base/base64.hpp"
#include "data/base/digest.hpp"
#include "data/base/error.hpp"
#include "data/base/json_nesting.hpp"
#include "data/base/words.hpp"
#include "data/files/reading_memory.hpp"

namespace procsim {
namespace {

void require_exists(const std::filesystem::path& path) {
  std::error_code code;
  if (!std::filesystem::exists(path, code)) throw Error(fmt::format("{} does not exist", path.string()));
}

// Rows cost next to nothing in a file (a run of equal values, ids one after the other), but memory in every
// table that is made of them.
void refuse_countless_rows(const ParquetInput& input, std::int64_t bytes) {
  constexpr std::int64_t kAlwaysFine = 1'000'000, kMostAByte = 100;
  if (const auto rows = input.rows(); rows > kAlwaysFine && rows / kMostAByte > bytes)
    throw Error(fmt::format("{} says that its {} bytes hold {} rows: it is damaged, or made to fill memory",
                            input.path.string(), bytes, rows));
}

// A million class names are more than Arrow allows a text of the metadata; none is longer than its file.
std::int32_t longest_text(std::int64_t bytes) {
  constexpr std::int64_t kAlwaysFine = 100'000'000, kMost = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(std::clamp(bytes, kAlwaysFine, kMost));
}

ParquetInput open_over(std::shared_ptr<arrow::io::RandomAccessFile> file, const std::filesystem::path& path,
                       parquet::ReaderProperties reading) {
  ParquetInput input{path, nullptr, nullptr};
  const auto bytes = require(file->GetSize(), "read", path);
  allow_reading(bytes);
  reading.set_thrift_string_size_limit(longest_text(bytes));
  try {
    // Arrow would fetch all columns of all row groups before the first batch: with it, memory grows with the
    // file.
    parquet::ArrowReaderProperties properties(/*use_threads=*/true);
    properties.set_pre_buffer(false);
    parquet::arrow::FileReaderBuilder builder;
    require(builder.Open(std::move(file), reading), "read as Parquet the file", path);
    input.reader = require(builder.memory_pool(reading_memory())->properties(properties)->Build(),
                           "read as Parquet the file", path);
    require(input.reader->GetSchema(&input.schema), "read the schema of", path);
    refuse_countless_rows(input, bytes);
  } catch (const parquet::ParquetException& exception) {
    throw Error(
        fmt::format("{} is not a readable Parquet file: {}", path.string(), first_line(exception.what())));
  }
  return input;
}

}  // namespace

void throw_arrow_error(const arrow::Status& status, std::string_view doing,
                       const std::filesystem::path& path) {
  // The detail says what the system said: "[errno 28] No space left on device".
  const auto detail = status.detail() ? ": " + first_line(status.detail()->ToString()) : std::string{};
  throw Error(fmt::format("cannot {} {}: {}{}", doing, path.string(), first_line(status.message()), detail));
}

ParquetInput open_parquet(const std::filesystem::path& path) {
  require_exists(path);
  // Without a buffer Arrow fetches a column's whole share of a row group at once, however large that is.
  parquet::ReaderProperties reading(reading_memory());
  reading.enable_buffered_stream();
  reading.set_buffer_size(1 << 20);
  return open_over(require(arrow::io::ReadableFile::Open(path.string()), "open", path), path, reading);
}

ParquetInput open_mapped_parquet(const std::filesystem::path& path) {
  require_exists(path);
  return open_over(
      require(arrow::io::MemoryMappedFile::Open(path.string(), arrow::io::FileMode::READ), "open", path),
      path, parquet::ReaderProperties(image_memory()));
}

std::int64_t ParquetInput::rows() const { return reader->parquet_reader()->metadata()->num_rows(); }

std::optional<std::string> ParquetInput::metadata(const std::string& key) const {
  const auto pairs = reader->parquet_reader()->metadata()->key_value_metadata();
  if (!pairs || !pairs->Contains(key)) return std::nullopt;
  return require(pairs->Get(key), "read the metadata of", path);
}

bool ParquetInput::claims_to_be(std::string_view format) const {
  const auto text = metadata(kParquetHeaderKey);
  if (!text) return false;
  const auto json = parse_json<nlohmann::json>(*text);
  if (!json.is_object() || !json.contains("format") || !json["format"].is_string()) return true;
  return json["format"].get<std::string>() == format;
}

nlohmann::ordered_json ParquetInput::header(std::string_view format, int newest) const {
  const auto text = metadata(kParquetHeaderKey);
  if (!text) {
    throw Error(fmt::format("{} is Parquet but no {} file: its metadata has no key '{}' (docs/formats.md)",
                            path.string(), format, kParquetHeaderKey));
  }
  auto json = parse_json<nlohmann::ordered_json>(*text);
  if (!json.is_object() || !json.contains("format") || !json["format"].is_string() ||
      !json.contains("version") || !json["version"].is_number_integer()) {
    throw Error(fmt::format("{}: the metadata '{}' is damaged (no format and version in it)", path.string(),
                            kParquetHeaderKey));
  }
  const auto found_format = json["format"].get<std::string>();
  if (found_format != format) {
    throw Error(fmt::format("{} holds '{}', expected '{}'", path.string(), found_format, format));
  }
  const auto version = json["version"].get<std::int64_t>();
  if (version < 1 || version > newest) {
    throw Error(fmt::format("{} is {}/{}, this program reads {} up to version {}. Use a newer program.",
                            path.string(), format, version, format, newest));
  }
  if (!json.contains("dataset") || !json["dataset"].is_string()) {
    throw Error(fmt::format("{}: the metadata '{}' names no data set", path.string(), kParquetHeaderKey));
  }
  return json;
}

int ParquetInput::column(std::string_view name) const {
  const int index = schema->GetFieldIndex(name);
  if (index < 0) {
    throw Error(fmt::format("{} has no column '{}' (or has it twice); it has: {}", path.string(), name,
                            fmt::join(schema->field_names(), ", ")));
  }
  return index;
}

std::vector<int> leaf_columns(const ParquetInput& input, std::span<const int> fields) {
  const auto collect = [](const parquet::arrow::SchemaField& field, std::vector<int>& into,
                          const auto& self) -> void {
    if (field.column_index >= 0) into.push_back(field.column_index);
    for (const auto& child : field.children) self(child, into, self);
  };
  std::vector<int> leaves;
  for (const int field : fields) {
    collect(input.reader->manifest().schema_fields[static_cast<std::size_t>(field)], leaves, collect);
  }
  return leaves;
}

ParquetOutput::ParquetOutput(const std::filesystem::path& path, IfExists if_exists,
                             std::shared_ptr<arrow::Schema> schema,
                             std::shared_ptr<parquet::WriterProperties> properties)
    : file_(path, if_exists),
      schema_(std::move(schema)),
      stream_(require(arrow::io::FileOutputStream::Open(file_.path().string()), "write", path)) {
  writer_ = require(parquet::arrow::FileWriter::Open(*schema_, arrow::default_memory_pool(), stream_,
                                                     std::move(properties)),
                    "write", path);
}

void ParquetOutput::write(const arrow::Table& table) {
  require(writer_->WriteTable(table, std::max<std::int64_t>(1, table.num_rows())), "write", file_.target());
}

std::string ParquetOutput::finish(const Metadata& metadata) {
  auto digest = close(metadata);
  commit();
  return digest;
}

std::string ParquetOutput::close(const Metadata& metadata) {
  std::vector<std::string> keys, values;
  for (const auto& [key, value] : metadata) {
    keys.push_back(key);
    values.push_back(value);
  }
  // Arrow's own copy of the schema, which dictionaries come back from, is written here and not by Arrow: only
  // so does it carry our metadata, and pyarrow's and pandas' users see it in schema.metadata.
  const auto schema = schema_->WithMetadata(arrow::key_value_metadata(keys, values));
  const auto serialized = require(arrow::ipc::SerializeSchema(*schema), "write", file_.target());
  const auto encoded = base64(std::string_view(*serialized));
  keys.emplace_back("ARROW:schema");
  values.push_back(encoded);
  require(writer_->AddKeyValueMetadata(arrow::key_value_metadata(keys, values)), "write", file_.target());
  require(writer_->Close(), "write", file_.target());
  require(stream_->Close(), "write", file_.target());
  return sha256_file(file_.path());
}

std::shared_ptr<parquet::WriterProperties> writer_properties(
    std::span<const std::string> dictionary_columns) {
  parquet::WriterProperties::Builder builder;
  builder.version(parquet::ParquetVersion::PARQUET_2_6)
      ->compression(parquet::Compression::ZSTD)
      ->compression_level(1)
      ->disable_dictionary()
      ->created_by("procsim")
      ->max_row_group_length(std::numeric_limits<std::int64_t>::max());
  for (const auto& column : dictionary_columns) builder.enable_dictionary(column);
  return builder.build();
}

}  // namespace procsim
