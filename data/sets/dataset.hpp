#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/labels/label_set.hpp"

namespace procsim {

struct DatasetClass {
  std::string published;    // "001.Black_footed_Albatross"
  std::string name;         // "Black-footed Albatross"
  std::string super_class;  // SOP's category ("bicycle"), empty elsewhere
};

// In pixels of the full-size image; x and y are the upper left corner, counted from 0.
struct BoundingBox {
  float x = 0, y = 0, width = 0, height = 0;
};

struct Sample {
  // Unique in the data set and stable: it keys every random draw. CUB and SOP: the published image_id. Cars:
  // the line in the training list from 1, test images numbered after them (cars_annos.mat: its line from 1).
  // CSV and Parquet: the column `sample_id`. Otherwise dense from 0: rows in order, files in the order of
  // their paths' bytes.
  std::int64_t id = 0;
  std::string path;  // relative to the root; "part.parquet#row=17" for an image inside a Parquet file
  std::int32_t label = kUnlabelled;
  std::string split;      // after apply_split
  std::string own_split;  // as the data set publishes it, empty when it has none
  std::optional<BoundingBox> box;
};

struct Dataset {
  std::string name;  // "cub200", or the folder's or file's name
  std::string kind;  // cub200, cars196, sop, fieldguide, folder, csv, parquet
  std::filesystem::path root;
  std::vector<DatasetClass> classes;
  std::vector<Sample> samples;
  std::vector<std::string> notes;  // what a user should know: "8041 test annotations carry no label", …
};

enum class SplitPolicy {
  kDefault,   // official class-disjoint split for the benchmarks and fieldguide, own split elsewhere
  kOfficial,  // class-disjoint as in the metric-learning papers: first half of the classes trains
  kOwn,       // as the data set publishes it
  kSeeded,    // half of the classes drawn by seed
};

struct DatasetOptions {
  std::optional<std::filesystem::path> root;  // --root; else PROCSIM_DATA; else the current folder
  SplitPolicy split = SplitPolicy::kDefault;
  std::uint64_t split_seed = 1;
  std::string label_column;  // CSV and Parquet: by name or index; empty: "label", "class", "target", …
  std::string path_column;   // likewise: "path", "image", "file", "filename", …
  bool bounding_boxes = false;
  // Classes whose names look alike become one (AlikeClasses): all of them, or those of these names.
  bool merge_alike = false;
  std::vector<std::string> merge_names{};
};

// What PROCSIM_DATA says, where it is set.
std::optional<std::filesystem::path> data_folder();

// Names that open_dataset knows without a path.
const std::vector<std::string>& known_datasets();

// Whether a folder holds one of these: open_dataset then reads it as that, whatever else lies in it.
bool holds_known_dataset(const std::filesystem::path& folder);

// Throws Error when --root is given and is no folder.
void require_root(const DatasetOptions& options);

// A path as given or, when it is not there, below the root. Empty when it is in neither place.
std::optional<std::filesystem::path> find_dataset_path(std::string_view path, const DatasetOptions& options);

// Opens a data set by its known name (looked for under the root), or by the path of a folder of class
// folders, a CSV, TSV or Parquet file, or a folder of Parquet files. `fieldguide` is generated under the root
// when it is not there. Throws Error that says which file and line is wrong, or where it looked.
Dataset open_dataset(std::string_view name_or_path, const DatasetOptions& options = {});

// Paths of samples whose image is not there (ImagePresence), in sample order.
std::vector<std::string> missing_images(const Dataset& dataset);
std::vector<std::string> missing_images(const LabelSet& labels, const std::filesystem::path& root);

// The encoded bytes of one sample's image (JPEG, PNG), from a file or from inside a Parquet file. A path
// never leaves the root by ".." or by being absolute; kStayBelow refuses links that do, too, also where a row
// of a Parquet file names the image: for paths that somebody else may have written.
enum class Links { kFollow, kStayBelow };
std::string read_sample_bytes(const std::filesystem::path& root, std::string_view sample_path,
                              Links links = Links::kFollow);

// A label set that says what the data set says. The benchmarks' labels and fieldguide's count as true; of the
// labels of anybody's own data nobody knows. `nodes`, when given, has a taxonomy node a class.
LabelSet make_label_set(const Dataset& dataset, const std::vector<std::string>& nodes = {});

}  // namespace procsim
