#include "data/sets/image_parquet.hpp"

#include <map>
#include <memory>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/files/file_name.hpp"
#include "data/files/parquet_io.hpp"
#include "data/labels/huggingface_features.hpp"
#include "data/labels/label_set.hpp"
#include "data/sets/dataset.hpp"

namespace procsim {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kRowGroupRows = 100;  // so that one image is read without many others

std::shared_ptr<arrow::Schema> image_schema() {
  return arrow::schema({arrow::field("image", arrow::struct_({arrow::field("bytes", arrow::binary()),
                                                              arrow::field("path", arrow::utf8())})),
                        arrow::field("label", arrow::int64()), arrow::field("sample_id", arrow::int64())});
}

// The file of one split.
class SplitFile {
 public:
  SplitFile(const fs::path& path, IfExists if_exists)
      : path_(path), output_(path, if_exists, image_schema(), writer_properties({})) {}

  void add(const std::string& bytes, std::string_view path, std::int64_t label, std::int64_t sample) {
    require(bytes_.Append(bytes), "write", path_);
    require(paths_.Append(path), "write", path_);
    require(labels_.Append(label), "write", path_);
    require(samples_.Append(sample), "write", path_);
    if (samples_.length() == kRowGroupRows) flush();
  }

  void close(const std::string& features) {
    if (samples_.length() > 0) flush();
    output_.close({{kHuggingFaceKey, features}});
  }
  AtomicFile& file() { return output_.file(); }

 private:
  void flush() {
    const auto column = [&](arrow::ArrayBuilder& builder) {
      return require(builder.Finish(), "write", path_);
    };
    const auto image = require(
        arrow::StructArray::Make({column(bytes_), column(paths_)}, std::vector<std::string>{"bytes", "path"}),
        "write", path_);
    output_.write(*arrow::Table::Make(image_schema(), {image, column(labels_), column(samples_)}));
  }

  fs::path path_;
  ParquetOutput output_;
  arrow::BinaryBuilder bytes_;
  arrow::StringBuilder paths_;
  arrow::Int64Builder labels_, samples_;
};

}  // namespace

std::int64_t write_image_parquet(const fs::path& labels, const fs::path& root, const fs::path& folder,
                                 IfExists if_exists, FileChanges& changes, const Progress& progress) {
  if (if_exists == IfExists::kFail && fs::exists(folder) && !fs::is_empty(folder))
    throw Error(fmt::format("{} already exists. Use --force to replace it.", folder.string()));
  LabelSetReader reader(labels);
  std::map<std::string, std::shared_ptr<SplitFile>, std::less<>> files;
  std::int64_t rows = 0;
  while (const auto batch = reader.next()) {
    for (std::int64_t row = 0; row < batch->rows(); ++row) {
      const auto split = std::string(batch->split(row).empty() ? "train" : batch->split(row));
      auto& file = files[split];
      if (!file)
        file = std::make_shared<SplitFile>(
            folder / "data" / fmt::format("{}-00000-of-00001.parquet", path_component(split)), if_exists);
      const auto at = static_cast<std::size_t>(row);
      const auto sample = batch->sample_ids()[at];
      try {
        file->add(read_sample_bytes(root, batch->path(row)), batch->path(row), batch->labels()[at], sample);
      } catch (const Error& error) {
        throw Error(fmt::format("the image of sample {} cannot be put into {}: {}", sample, folder.string(),
                                error.what()));
      }
      ++rows;
      if (progress)
        progress(static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(reader.file_rows()));
    }
  }
  const auto features = huggingface_info({{"image", huggingface_image()},
                                          {"label", huggingface_class_label(reader.info().classes)},
                                          {"sample_id", huggingface_value("int64")}});
  for (auto& [split, file] : files) {
    file->close(features);
    changes.add(file->file(), file);
  }
  return rows;
}

}  // namespace procsim
