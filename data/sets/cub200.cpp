#include <limits>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/files/text_lines.hpp"
#include "data/sets/class_names.hpp"
#include "data/sets/dataset_readers.hpp"
#include "data/sets/sample_path.hpp"

namespace procsim {
namespace {

namespace fs = std::filesystem;
constexpr auto kNoLimit = std::numeric_limits<std::int64_t>::max();

// "1 001.Black_footed_Albatross": every number from 1 to the number of classes, once.
std::vector<DatasetClass> read_classes(const fs::path& path) {
  TextLines lines(path);
  std::unordered_map<std::int64_t, std::string> names;
  while (lines.next()) {
    const auto words = lines.words_as("class_id class_name");
    const auto id = lines.integer(words[0], "class_id", 1, std::numeric_limits<std::int32_t>::max());
    if (!names.emplace(id, words[1]).second) lines.fail(fmt::format("class_id {} occurs twice", id));
  }
  if (names.empty()) throw Error(path.string() + " lists no classes");
  std::vector<DatasetClass> classes;
  for (std::int64_t id = 1; id <= static_cast<std::int64_t>(names.size()); ++id) {
    const auto found = names.find(id);
    if (found == names.end()) {
      throw Error(
          fmt::format("{}: class_id {} is missing among {} classes", path.string(), id, names.size()));
    }
    classes.push_back({found->second, clean_class_name(found->second), {}});
  }
  return classes;
}

// The images with what images.txt says, and where each id is.
struct ImageList {
  std::vector<Sample> samples;
  std::unordered_map<std::int64_t, std::size_t> index;
};

ImageList read_images(const fs::path& path) {
  TextLines lines(path);
  ImageList list;
  while (lines.next()) {
    const auto words = lines.words_as("image_id image_name");
    Sample sample;
    sample.id = lines.integer(words[0], "image_id", 0, kNoLimit);
    const auto below = path_below_root(words[1]);
    if (!below) lines.fail(fmt::format("'{}' is not a path below the folder images", words[1]));
    sample.path = "images/" + *below;
    if (!list.index.emplace(sample.id, list.samples.size()).second) {
      lines.fail(fmt::format("image_id {} occurs twice", sample.id));
    }
    list.samples.push_back(std::move(sample));
  }
  if (list.samples.empty()) throw Error(path.string() + " lists no images");
  return list;
}

// Reads a file with one line for each image, in any order: `take(sample, words, lines)`. `names` are its
// fields.
template <typename Take>
void for_each_image(const fs::path& path, std::string_view names, ImageList& images, Take&& take) {
  TextLines lines(path);
  std::vector<bool> seen(images.samples.size());
  while (lines.next()) {
    const auto words = lines.words_as(names);
    const auto id = lines.integer(words[0], "image_id", 0, kNoLimit);
    const auto found = images.index.find(id);
    if (found == images.index.end()) lines.fail(fmt::format("image_id {} is not in images.txt", id));
    if (seen[found->second]) lines.fail(fmt::format("image_id {} occurs twice", id));
    seen[found->second] = true;
    take(images.samples[found->second], words, lines);
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i]) continue;
    throw Error(fmt::format("{}: image_id {} of images.txt has no line here; is the file complete?",
                            path.string(), images.samples[i].id));
  }
}

void read_boxes(const fs::path& path, ImageList& images) {
  if (!fs::exists(path)) {
    throw Error(fmt::format(
        "bounding boxes were asked for and {} does not exist; fetch it with the full data set, or "
        "leave them out",
        path.string()));
  }
  for_each_image(path, "image_id x y width height", images,
                 [](Sample& sample, const auto& words, const auto& lines) {
                   const BoundingBox box{lines.real(words[1], "x"), lines.real(words[2], "y"),
                                         lines.real(words[3], "width"), lines.real(words[4], "height")};
                   if (box.width <= 0 || box.height <= 0) lines.fail("the bounding box is empty");
                   sample.box = box;
                 });
}

}  // namespace

bool is_cub200(const fs::path& folder) {
  return fs::exists(folder / "image_class_labels.txt") ||
         (fs::exists(folder / "images.txt") && fs::exists(folder / "classes.txt"));
}

Dataset read_cub200(const fs::path& folder, const DatasetOptions& options) {
  Dataset dataset;
  dataset.name = dataset.kind = "cub200";
  dataset.root = folder;
  dataset.classes = read_classes(folder / "classes.txt");
  auto images = read_images(folder / "images.txt");
  const auto class_count = static_cast<std::int64_t>(dataset.classes.size());
  for_each_image(folder / "image_class_labels.txt", "image_id class_id", images,
                 [&](Sample& sample, const auto& words, const auto& lines) {
                   sample.label =
                       static_cast<std::int32_t>(lines.integer(words[1], "class_id", 1, class_count)) - 1;
                 });
  if (fs::exists(folder / "train_test_split.txt")) {
    for_each_image(folder / "train_test_split.txt", "image_id is_training_image", images,
                   [](Sample& sample, const auto& words, const auto& lines) {
                     sample.own_split =
                         lines.integer(words[1], "is_training_image", 0, 1) == 1 ? "train" : "test";
                   });
  } else {
    dataset.notes.push_back("there is no train_test_split.txt: the data set's own split is not known");
  }
  if (options.bounding_boxes) read_boxes(folder / "bounding_boxes.txt", images);
  dataset.samples = std::move(images.samples);
  return dataset;
}

}  // namespace procsim
