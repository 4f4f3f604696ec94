#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/files/text_lines.hpp"
#include "data/sets/dataset_readers.hpp"
#include "data/sets/sample_path.hpp"

namespace procsim {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kHeader = "image_id class_id super_class_id path";

// "coffee_maker_final/111_0.JPG" → "coffee maker".
std::string super_class_name(const TextLines& lines, std::string_view path) {
  const auto slash = path.find('/');
  if (slash == std::string_view::npos || slash == 0) {
    lines.fail(fmt::format("path '{}' does not begin with its super-class's folder", path));
  }
  auto name = std::string(path.substr(0, slash));
  if (name.ends_with("_final")) name.resize(name.size() - std::string_view("_final").size());
  for (auto& c : name) {
    if (c == '_') c = ' ';
  }
  return name;
}

class SopReader {
 public:
  void read(const fs::path& path, const std::string& split) {
    TextLines lines(path);
    if (!lines.next() || lines.line() != kHeader) {
      throw Error(fmt::format("{}, line 1: expected the header '{}'", path.string(), kHeader));
    }
    const auto before = samples_.size();
    while (lines.next()) add(lines, split);
    if (samples_.size() == before) throw Error(path.string() + " lists no images");
  }

  void finish(Dataset& dataset) {
    dataset.samples = std::move(samples_);
    for (std::size_t i = 0; i < classes_.size(); ++i) {
      const auto number = std::to_string(i + 1);
      dataset.classes.push_back({number, classes_[i].super_class + " " + number, classes_[i].super_class});
    }
  }

 private:
  struct Class {
    std::string super_class;
    std::string split;
  };

  // The two lists number images and classes from 1 without gaps: a gap is a lost line.
  void add(const TextLines& lines, const std::string& split) {
    const auto words = lines.words_as(kHeader);
    constexpr auto kMost = std::numeric_limits<std::int32_t>::max();
    const auto image = lines.integer(words[0], "image_id", 1, kMost);
    const auto class_id = lines.integer(words[1], "class_id", 1, kMost);
    const auto super_class_id = lines.integer(words[2], "super_class_id", 1, kMost);
    const auto expected = static_cast<std::int64_t>(samples_.size()) + 1;
    if (image != expected) {
      lines.fail(fmt::format("image_id is {} where {} follows; {}", image, expected,
                             image < expected ? "it occurs twice" : "is a line missing?"));
    }
    const auto path = path_below_root(words[3]);
    if (!path) lines.fail(fmt::format("'{}' is not a path below the data set's folder", words[3]));
    const auto super_class = super_class_name(lines, *path);
    const auto [known, first] = super_classes_.emplace(super_class_id, super_class);
    if (!first && known->second != super_class) {
      lines.fail(fmt::format("super_class_id {} is '{}' above and '{}' here", super_class_id, known->second,
                             super_class));
    }
    check_class(lines, class_id, super_class, split);
    Sample sample;
    sample.id = image;
    sample.path = *path;
    sample.label = static_cast<std::int32_t>(class_id) - 1;
    sample.own_split = split;
    samples_.push_back(std::move(sample));
  }

  void check_class(const TextLines& lines, std::int64_t class_id, const std::string& super_class,
                   const std::string& split) {
    const auto next = static_cast<std::int64_t>(classes_.size()) + 1;
    if (class_id > next)
      lines.fail(fmt::format("class_id is {} where {} follows; is a line missing?", class_id, next));
    if (class_id == next) {
      classes_.push_back({super_class, split});
      return;
    }
    const auto& known = classes_[static_cast<std::size_t>(class_id - 1)];
    if (known.super_class != super_class) {
      lines.fail(fmt::format("class_id {} belongs to '{}' above and to '{}' here", class_id,
                             known.super_class, super_class));
    }
    if (known.split != split) lines.fail(fmt::format("class_id {} is in Ebay_train.txt too", class_id));
  }

  std::vector<Sample> samples_;
  std::vector<Class> classes_;
  std::map<std::int64_t, std::string> super_classes_;
};

}  // namespace

bool is_sop(const fs::path& folder) {
  return fs::exists(folder / "Ebay_train.txt") || fs::exists(folder / "Ebay_test.txt");
}

Dataset read_sop(const fs::path& folder) {
  Dataset dataset;
  dataset.name = dataset.kind = "sop";
  dataset.root = folder;
  SopReader reader;
  reader.read(folder / "Ebay_train.txt", "train");
  reader.read(folder / "Ebay_test.txt", "test");
  reader.finish(dataset);
  return dataset;
}

}  // namespace procsim
