#pragma once

// Arrow and Parquet behind our own errors. Included by sources of data/ only.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <nlohmann/json.hpp>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/writer.h>

#include "data/files/atomic_file.hpp"

namespace procsim {

// Key of the file metadata under which our formats keep their JSON header. On disk: never changes.
inline constexpr const char* kParquetHeaderKey = "procsim";

// Throws Error "cannot <doing> <path>: <what Arrow said, first line>".
[[noreturn]] void throw_arrow_error(const arrow::Status& status, std::string_view doing,
                                    const std::filesystem::path& path);

inline void require(const arrow::Status& status, std::string_view doing, const std::filesystem::path& path) {
  if (!status.ok()) throw_arrow_error(status, doing, path);
}

template <typename T>
T require(arrow::Result<T> result, std::string_view doing, const std::filesystem::path& path) {
  if (!result.ok()) throw_arrow_error(result.status(), doing, path);
  return std::move(result).ValueUnsafe();
}

// A Parquet file opened for reading, with the schema Arrow sees.
struct ParquetInput {
  std::filesystem::path path;
  std::unique_ptr<parquet::arrow::FileReader> reader;
  std::shared_ptr<arrow::Schema> schema;

  std::int64_t rows() const;
  // Value of a file-metadata key.
  std::optional<std::string> metadata(const std::string& key) const;
  // Whether it says of itself that it is of this format of ours, whatever the version, or has a header that
  // cannot be read.
  bool claims_to_be(std::string_view format) const;
  // Our JSON header, checked to be of this format and of a version up to `newest`.
  nlohmann::ordered_json header(std::string_view format, int newest) const;
  // Index of a top-level column that must be there.
  int column(std::string_view name) const;
};

ParquetInput open_parquet(const std::filesystem::path& path);
// The same over a mapping of the file, for reading single rows here and there.
ParquetInput open_mapped_parquet(const std::filesystem::path& path);

// Leaf columns below the top-level fields with these indices, which is what Parquet's readers count in.
std::vector<int> leaf_columns(const ParquetInput& input, std::span<const int> fields);

// A Parquet file written atomically in row groups. Same tables in, same bytes out.
class ParquetOutput {
 public:
  ParquetOutput(const std::filesystem::path& path, IfExists if_exists, std::shared_ptr<arrow::Schema> schema,
                std::shared_ptr<parquet::WriterProperties> properties);

  // One row group.
  void write(const arrow::Table& table);
  // Adds the metadata, closes, and lets the file appear. Returns its SHA-256.
  using Metadata = std::vector<std::pair<std::string, std::string>>;
  std::string finish(const Metadata& metadata);
  // The same in two steps.
  std::string close(const Metadata& metadata);
  void commit() { file_.commit(); }
  AtomicFile& file() { return file_; }

 private:
  AtomicFile file_;
  std::shared_ptr<arrow::Schema> schema_;
  std::shared_ptr<arrow::io::FileOutputStream> stream_;
  std::unique_ptr<parquet::arrow::FileWriter> writer_;
};

// Compression and encodings shared by our formats: Zstandard, Parquet 2.6, dictionary pages only for the
// columns named here.
std::shared_ptr<parquet::WriterProperties> writer_properties(std::span<const std::string> dictionary_columns);

}  // namespace procsim
