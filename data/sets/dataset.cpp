#include "data/sets/dataset.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/suggest.hpp"
#include "data/files/file_name.hpp"
#include "data/sets/alike_classes.hpp"
#include "data/sets/dataset_readers.hpp"
#include "data/sets/fieldguide.hpp"
#include "data/sets/image_presence.hpp"
#include "data/sets/sample_path.hpp"

namespace procsim {
namespace {

namespace fs = std::filesystem;

// A data set that is found by its name: where it may lie below the root, how its folder is recognised, how it
// is read.
struct KnownDataset {
  std::string name;
  std::vector<std::string> folders;
  std::function<bool(const fs::path&)> is_here;
  std::function<Dataset(const fs::path&, const DatasetOptions&)> read;
  std::string wanted;  // what makes a folder this data set
};

const std::vector<KnownDataset>& benchmarks() {
  static const std::vector<KnownDataset> known = {
      {"cub200",
       {".", "CUB_200_2011", "cub200/CUB_200_2011", "cub200", "CUB200", "cub/CUB_200_2011", "CUB-200-2011"},
       is_cub200,
       read_cub200,
       "image_class_labels.txt"},
      {"cars196",
       {".", "devkit", "cars196", "cars196/devkit", "car_devkit/devkit", "stanford_cars",
        "stanford_cars/devkit", "Cars196", "cars"},
       is_cars196,
       read_cars196,
       "cars_train_annos.mat or cars_annos.mat"},
      {"sop",
       {".", "Stanford_Online_Products", "sop/Stanford_Online_Products", "sop", "SOP", "online_products"},
       is_sop,
       [](const fs::path& folder, const DatasetOptions&) { return read_sop(folder); },
       "Ebay_train.txt"},
  };
  return known;
}

// --root, else PROCSIM_DATA, else the current folder; with how to call it in a message.
struct Root {
  fs::path path;
  std::string origin;
};

Root data_root(const DatasetOptions& options) {
  if (options.root) return {*options.root, "--root"};
  if (auto folder = data_folder()) return {std::move(*folder), "PROCSIM_DATA"};
  return {".", "the current folder"};
}

void require_folder(const Root& root) {
  std::error_code code;
  if (fs::is_directory(root.path, code)) return;
  throw Error(fmt::format("{} ({}) {}", root.path.string(), root.origin,
                          fs::exists(root.path, code) ? "is not a folder" : "does not exist"));
}

Dataset open_benchmark(const KnownDataset& known, const DatasetOptions& options) {
  const auto root = data_root(options);
  require_folder(root);
  for (const auto& below : known.folders) {
    const auto folder = below == "." ? root.path : root.path / below;
    if (known.is_here(folder)) return known.read(folder, options);
  }
  throw Error(
      fmt::format("{} was not found below {} ({}): no {} in {}. Say where it is with --root or PROCSIM_DATA.",
                  known.name, root.path.string(), root.origin, known.wanted, fmt::join(known.folders, ", ")));
}

// The root itself may be the data set; else it lies in a folder of its name, made when it is missing.
Dataset open_fieldguide(const DatasetOptions& options) {
  const auto root = data_root(options);
  return read_fieldguide(fieldguide_version(root.path) ? root.path : root.path / "fieldguide");
}

// The last name of a path, also of "." and "birds/".
std::string last_name(const fs::path& path) { return absolute_folder(path).filename().string(); }

Dataset open_file(const fs::path& file, const DatasetOptions& options) {
  const auto extension = lower_extension(file);
  const auto folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (extension == ".parquet") return read_parquet_dataset(file, options);
  if (extension == ".csv" || extension == ".tsv" || extension == ".txt") {
    return read_csv_dataset(file, options.root.value_or(folder), options);
  }
  throw Error(
      fmt::format("{} is no data set that can be read: expected a folder, or a .csv, .tsv or .parquet file",
                  file.string()));
}

Dataset open_folder(const fs::path& folder, const DatasetOptions& options) {
  for (const auto& known : benchmarks()) {
    if (known.is_here(folder)) return known.read(folder, options);
  }
  if (fieldguide_version(folder)) return read_fieldguide(folder);
  if (is_parquet_folder(folder)) return read_parquet_dataset(folder, options);
  if (auto dataset = read_class_folders(folder)) return std::move(*dataset);
  if (has_parquet_below(folder)) return read_parquet_dataset(folder, options);
  throw Error(
      fmt::format("{} holds no images in class folders (expected <class>/<image>.jpg, .jpeg or .png) and no "
                  "Parquet files",
                  folder.string()));
}

fs::path require_path(std::string_view text, const DatasetOptions& options) {
  if (auto found = find_dataset_path(text, options)) return std::move(*found);
  throw Error(fmt::format("'{}' is neither a known data set ({}) nor an existing file or folder{}", text,
                          fmt::join(known_datasets(), ", "), did_you_mean(text, known_datasets())));
}

template <typename Rows>
std::vector<std::string> missing_of(const Rows& rows, const fs::path& root) {
  std::vector<std::string> missing;
  ImagePresence images(root);
  for (const auto& row : rows) {
    if (!images.has(row.path)) missing.push_back(row.path);
  }
  return missing;
}

Dataset read_any(std::string_view name_or_path, const DatasetOptions& options) {
  for (const auto& known : benchmarks()) {
    if (known.name == name_or_path) return open_benchmark(known, options);
  }
  if (name_or_path == "fieldguide") return open_fieldguide(options);
  if (name_or_path.empty())
    throw Error("no data set was named; known: " + fmt::format("{}", fmt::join(known_datasets(), ", ")));
  require_root(options);
  const auto path = require_path(name_or_path, options);
  auto dataset = fs::is_directory(path) ? open_folder(path, options) : open_file(path, options);
  if (dataset.name.empty()) dataset.name = fs::is_directory(path) ? last_name(path) : path.stem().string();
  return dataset;
}

// Before the split: it may part the classes.
void merge_alike(Dataset& dataset, const DatasetOptions& options) {
  if (!options.merge_alike && options.merge_names.empty()) return;
  auto groups = find_alike_classes(dataset);
  const auto is_wanted = [&](const AlikeClasses& group) {
    return options.merge_alike || std::ranges::any_of(group.spellings, [&](const auto& spelling) {
             return std::ranges::find(options.merge_names, spelling.name) != options.merge_names.end();
           });
  };
  std::erase_if(groups, [&](const AlikeClasses& group) { return !is_wanted(group); });
  merge_classes(dataset, groups);
  for (const auto& group : groups) dataset.notes.push_back("merged: " + group.in_words());
}

}  // namespace

std::optional<fs::path> data_folder() {
  const char* value = std::getenv("PROCSIM_DATA");
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

const std::vector<std::string>& known_datasets() {
  static const std::vector<std::string> names = {"cub200", "cars196", "sop", "fieldguide"};
  return names;
}

bool holds_known_dataset(const fs::path& folder) {
  const auto& all = benchmarks();
  return fieldguide_version(folder) ||
         std::any_of(all.begin(), all.end(), [&](const auto& known) { return known.is_here(folder); });
}

void require_root(const DatasetOptions& options) {
  if (options.root) require_folder(data_root(options));
}

std::optional<fs::path> find_dataset_path(std::string_view path, const DatasetOptions& options) {
  std::error_code code;
  if (fs::exists(path, code)) return path;
  auto below = data_root(options).path / path;
  if (path.empty() || !fs::exists(below, code)) return std::nullopt;
  return below;
}

Dataset open_dataset(std::string_view name_or_path, const DatasetOptions& options) {
  auto dataset = read_any(name_or_path, options);
  dataset.root = absolute_folder(dataset.root);
  merge_alike(dataset, options);
  apply_split(dataset, options.split, options.split_seed);
  return dataset;
}

std::vector<std::string> missing_images(const Dataset& dataset) {
  return missing_of(dataset.samples, dataset.root);
}

std::vector<std::string> missing_images(const LabelSet& labels, const fs::path& root) {
  return missing_of(labels.rows, root);
}

LabelSet make_label_set(const Dataset& dataset, const std::vector<std::string>& nodes) {
  if (!nodes.empty() && nodes.size() != dataset.classes.size()) {
    throw Error(fmt::format("{} taxonomy nodes for the {} classes of {}", nodes.size(),
                            dataset.classes.size(), dataset.name));
  }
  LabelSet set;
  set.info.dataset = dataset.name;
  for (std::size_t i = 0; i < dataset.classes.size(); ++i) {
    const auto& entry = dataset.classes[i];
    set.info.classes.push_back({entry.name, entry.published, nodes.empty() ? std::string() : nodes[i]});
  }
  set.info.provenance = {{"operation", "base"}, {"kind", dataset.kind}, {"changed", 0}};
  set.rows.reserve(dataset.samples.size());
  const auto& known = known_datasets();
  const bool is_true = std::find(known.begin(), known.end(), dataset.kind) != known.end();
  for (const auto& sample : dataset.samples) {
    LabelRow row{sample.id, sample.path, sample.split, sample.label, std::nullopt};
    if (is_true && sample.label != kUnlabelled) row.true_label = sample.label;
    set.rows.push_back(std::move(row));
  }
  return set;
}

}  // namespace procsim
