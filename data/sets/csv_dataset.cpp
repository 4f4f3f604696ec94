#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/id_set.hpp"
#include "data/base/number.hpp"
#include "data/files/csv.hpp"
#include "data/sets/dataset_readers.hpp"
#include "data/sets/sample_path.hpp"
#include "data/sets/table_labels.hpp"
#include "data/sets/table_paths.hpp"

namespace procsim {
namespace {

namespace fs = std::filesystem;

class CsvDatasetReader {
 public:
  CsvDatasetReader(const fs::path& file, const fs::path& root, const DatasetOptions& options)
      : csv_(file),
        roles_(choose_columns(csv_.header(), options, file)),
        paths_(absolute_folder(root), options.root.has_value()) {
    if (!roles_.path) {
      throw Error(
          fmt::format("{} has no column that looks like paths of images; it has: {}. Name it with "
                      "--path-column.",
                      file.string(), fmt::join(csv_.header(), ", ")));
    }
  }

  Dataset read() {
    Dataset dataset;
    dataset.kind = "csv";
    std::vector<std::string> fields;
    while (csv_.next(fields)) dataset.samples.push_back(sample_of(fields, dataset.samples.size()));
    if (dataset.samples.empty()) throw Error(csv_.path().string() + " has no rows below its column names");
    labels_.finish(dataset);
    paths_.finish(dataset);
    note_repeated_paths(dataset);
    return dataset;
  }

 private:
  std::string place() const { return fmt::format("{}, line {}", csv_.path().string(), csv_.line()); }

  [[noreturn]] void fail(std::size_t column, const std::string& what) const {
    throw Error(fmt::format("{}, column '{}': {}", place(), csv_.header()[column], what));
  }

  Sample sample_of(const std::vector<std::string>& fields, std::size_t row) {
    Sample sample;
    sample.id = static_cast<std::int64_t>(row);
    if (roles_.sample_id) sample.id = id_of(fields[*roles_.sample_id]);
    try {
      sample.path = paths_.add(fields[*roles_.path]);
    } catch (const Error& error) {
      fail(*roles_.path, error.what());
    }
    if (roles_.split) {
      sample.own_split = split_name(fields[*roles_.split]);
      if (sample.own_split.empty()) fail(*roles_.split, "it is empty");
    }
    labels_.add(fields[roles_.label], [this] { return place(); });
    if (roles_.class_name) labels_.name_class(fields[*roles_.class_name], [this] { return place(); });
    return sample;
  }

  std::int64_t id_of(const std::string& text) {
    const auto id = parse_number<std::int64_t>(text);
    if (!id || *id < 0) fail(*roles_.sample_id, no_sample_id(text));
    if (!ids_.insert(*id)) fail(*roles_.sample_id, fmt::format("{} occurs twice", *id));
    return *id;
  }

  CsvReader csv_;
  TableRoles roles_;
  TablePaths paths_;
  TableLabels labels_;
  IdSet ids_;
};

}  // namespace

Dataset read_csv_dataset(const fs::path& file, const fs::path& root, const DatasetOptions& options) {
  return CsvDatasetReader(file, root, options).read();
}

}  // namespace procsim
