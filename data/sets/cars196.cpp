#include <array>
#include <limits>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/files/mat_file.hpp"
#include "data/sets/class_names.hpp"
#include "data/sets/dataset_readers.hpp"
#include "data/sets/sample_path.hpp"

namespace procsim {
namespace {

namespace fs = std::filesystem;

// Where the lists may lie, seen from the folder that was given.
constexpr std::array<std::string_view, 4> kListFolders = {".", "devkit", "car_devkit/devkit", ".."};

std::optional<fs::path> find_list(const fs::path& folder, std::string_view name) {
  const bool in_devkit = folder.filename() == "devkit";
  for (const auto below : kListFolders) {
    if (below == ".." && !in_devkit) continue;
    auto path = below == "."    ? folder / name
                : below == ".." ? folder.parent_path() / name
                                : folder / below / name;
    if (fs::exists(path)) return path;
  }
  return std::nullopt;
}

fs::path require_list(const fs::path& folder, std::string_view name) {
  if (auto path = find_list(folder, name)) return *path;
  throw Error(fmt::format("{} is missing in {}; it belongs to the Cars196 devkit (car_devkit.tgz)", name,
                          folder.string()));
}

// Images lie beside the folder devkit, or beside the lists when these are not in one.
fs::path image_root(const fs::path& folder) {
  if (folder.filename() != "devkit") return folder;
  const auto parent = folder.parent_path();
  return parent.filename() == "car_devkit" ? parent.parent_path() : parent;
}

// "cars_train", or "cars_train/cars_train" as one of the circulating archives unpacks.
std::string image_folder(const fs::path& root, const std::string& name) {
  return fs::is_directory(root / name / name) ? name + "/" + name : name;
}

std::vector<DatasetClass> read_classes(const MatFile& file, const fs::path& path) {
  std::vector<DatasetClass> classes;
  for (auto& published : file.texts("class_names")) {
    auto name = clean_class_name(published);
    classes.push_back({std::move(published), std::move(name), {}});
  }
  if (classes.empty()) throw Error(path.string() + ": class_names is empty");
  return classes;
}

BoundingBox read_box(const MatStructs& list, std::size_t row) {
  constexpr long kMost = std::numeric_limits<std::int32_t>::max();
  const auto corner = [&](const char* field) {
    return static_cast<float>(list.integer(row, field, 1, kMost));
  };
  const float x1 = corner("bbox_x1"), y1 = corner("bbox_y1"), x2 = corner("bbox_x2"), y2 = corner("bbox_y2");
  if (x2 < x1 || y2 < y1) list.fail(row, "bbox_x2", "the bounding box is empty");
  return {x1 - 1, y1 - 1, x2 - x1 + 1,
          y2 - y1 + 1};  // MATLAB counts pixels from 1 and both corners belong to it
}

// Appends the samples of one list; sample ids go on from those before. Returns how many carry no label.
class ListReader {
 public:
  ListReader(Dataset& dataset, bool boxes) : dataset_(dataset), boxes_(boxes) {}

  // `prefix` is put in front of the names in `path_field`; `split` gives a row's own split.
  template <typename Split>
  void read(const MatStructs& list, const std::string& prefix, std::string_view path_field, Split&& split) {
    const bool labelled = list.has("class");
    const auto class_count = static_cast<long>(dataset_.classes.size());
    for (std::size_t row = 0; row < list.rows(); ++row) {
      Sample sample;
      sample.id = static_cast<std::int64_t>(dataset_.samples.size()) + 1;
      const auto below = path_below_root(list.text(row, path_field));
      if (!below) list.fail(row, path_field, "it is not a path below the data set's folder");
      sample.path = prefix + *below;
      if (!paths_.insert(sample.path).second)
        list.fail(row, path_field, fmt::format("'{}' occurs twice", *below));
      if (labelled) sample.label = static_cast<std::int32_t>(list.integer(row, "class", 1, class_count)) - 1;
      sample.own_split = split(row);
      if (boxes_) sample.box = read_box(list, row);
      dataset_.samples.push_back(std::move(sample));
    }
  }

 private:
  Dataset& dataset_;
  bool boxes_;
  std::unordered_set<std::string> paths_;
};

MatStructs read_annotations(const fs::path& path) {
  auto list = MatFile(path).structs("annotations");
  if (list.rows() == 0) throw Error(path.string() + " lists no images");
  return list;
}

// cars_annos.mat: every image with its class, in one list.
void read_single_list(const fs::path& path, Dataset& dataset, bool boxes) {
  dataset.classes = read_classes(MatFile(path), path);
  const auto list = read_annotations(path);
  ListReader(dataset, boxes).read(list, "", "relative_im_path", [&](std::size_t row) {
    return list.integer(row, "test", 0, 1) == 1 ? "test" : "train";
  });
}

// The labelled edition of the test list comes from elsewhere: it must list the images of the devkit's own.
void check_same_images(const MatStructs& labelled, const fs::path& labelled_path, const fs::path& own_path) {
  const auto own = read_annotations(own_path);
  std::set<std::string> unseen;
  for (std::size_t row = 0; row < own.rows(); ++row) unseen.insert(own.text(row, "fname"));
  const auto all = unseen;
  for (std::size_t row = 0; row < labelled.rows(); ++row) {
    const auto& name = labelled.text(row, "fname");
    if (!all.contains(name))
      labelled.fail(row, "fname", fmt::format("'{}' is not in {}", name, own_path.string()));
    unseen.erase(name);
  }
  if (unseen.empty()) return;
  throw Error(fmt::format("{} does not list {}, one of {} images that {} has. Fetch it again.",
                          labelled_path.string(), *unseen.begin(), unseen.size(), own_path.string()));
}

// The devkit: training and test images in two lists, the latter without labels unless its labelled edition is
// there.
void read_devkit(const fs::path& folder, Dataset& dataset, bool boxes) {
  const auto meta = require_list(folder, "cars_meta.mat");
  dataset.classes = read_classes(MatFile(meta), meta);
  ListReader reader(dataset, boxes);
  const auto train_path = require_list(folder, "cars_train_annos.mat");
  const auto train = read_annotations(train_path);
  if (!train.has("class"))
    throw Error(train_path.string() + ": the training annotations have no field 'class'");
  reader.read(train, image_folder(dataset.root, "cars_train") + "/", "fname",
              [](std::size_t) { return "train"; });

  const auto labelled = find_list(folder, "cars_test_annos_withlabels.mat");
  const auto own = find_list(folder, "cars_test_annos.mat");
  const auto test = read_annotations(labelled ? *labelled : require_list(folder, "cars_test_annos.mat"));
  if (labelled && own) check_same_images(test, *labelled, *own);
  reader.read(test, image_folder(dataset.root, "cars_test") + "/", "fname",
              [](std::size_t) { return "test"; });
  if (!test.has("class")) {
    dataset.notes.push_back(
        fmt::format("{} test annotations carry no label; put cars_test_annos_withlabels.mat or "
                    "cars_annos.mat beside the devkit "
                    "to use them",
                    test.rows()));
  }
}

// The single list has all labels, for the images in car_ims/. It is not used for a user who has the images of
// the devkit instead: its file names are others.
bool prefer_single_list(const fs::path& folder, const fs::path& root) {
  if (!find_list(folder, "cars_annos.mat")) return false;
  if (!find_list(folder, "cars_train_annos.mat")) return true;
  if (find_list(folder, "cars_test_annos_withlabels.mat")) return false;
  return fs::is_directory(root / "car_ims") || !fs::is_directory(root / "cars_train");
}

}  // namespace

bool is_cars196(const fs::path& folder) {
  return find_list(folder, "cars_train_annos.mat") || find_list(folder, "cars_test_annos.mat") ||
         find_list(folder, "cars_annos.mat");
}

Dataset read_cars196(const fs::path& given, const DatasetOptions& options) {
  const auto folder = absolute_folder(given);
  Dataset dataset;
  dataset.name = dataset.kind = "cars196";
  dataset.root = image_root(folder);
  if (prefer_single_list(folder, dataset.root)) {
    read_single_list(*find_list(folder, "cars_annos.mat"), dataset, options.bounding_boxes);
  } else {
    read_devkit(folder, dataset, options.bounding_boxes);
  }
  return dataset;
}

}  // namespace procsim
