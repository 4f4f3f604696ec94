#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include "data/base/error.hpp"
#include "data/base/utf8.hpp"
#include "data/files/file_name.hpp"
#include "data/sets/class_names.hpp"
#include "data/sets/dataset_readers.hpp"

namespace procsim {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> kReadable = {".jpg", ".jpeg", ".jpe", ".jfif", ".png"};
// Images that our decoder does not know: said, not left out in silence.
constexpr std::array<std::string_view, 10> kUnreadable = {".bmp",  ".gif",  ".webp", ".tif", ".tiff",
                                                          ".heic", ".avif", ".ppm",  ".pgm", ".jp2"};

template <typename List>
bool holds(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

struct Listing {
  std::vector<std::string> folders;  // sorted by their bytes
  std::vector<std::string> files;
};

// What lies in a folder, links followed, hidden names left out.
Listing list_folder(const fs::path& folder) {
  std::error_code code;
  Listing listing;
  fs::directory_iterator entries(folder, code);
  for (; !code && entries != fs::directory_iterator(); entries.increment(code)) {
    auto name = entries->path().filename().string();
    if (name.starts_with('.') || name == "__MACOSX") continue;
    if (!is_utf8(name))
      throw Error(fmt::format("{}: a name in this folder is not UTF-8; rename it", folder.string()));
    std::error_code broken_link;
    if (entries->is_directory(broken_link)) {
      listing.folders.push_back(std::move(name));
    } else if (!broken_link && entries->is_regular_file(broken_link)) {
      listing.files.push_back(std::move(name));
    }
  }
  if (code) throw Error(fmt::format("cannot list {}: {}", folder.string(), code.message()));
  std::sort(listing.folders.begin(), listing.folders.end());
  std::sort(listing.files.begin(), listing.files.end());
  return listing;
}

class FolderReader {
 public:
  explicit FolderReader(const fs::path& root) { dataset_.root = root; }

  std::optional<Dataset> read() {
    const auto top = list_folder(dataset_.root);
    if (is_split_layout(top.folders)) {
      std::vector<std::string> others;
      for (const auto& name : top.folders) {
        if (is_split_name(name)) {
          read_classes(name, split_name(name));
        } else {
          others.push_back(name);
        }
      }
      if (!others.empty()) note(fmt::format("beside the splits, not read: {}", fmt::join(others, ", ")));
    } else {
      read_classes(wrapper_of(top), "");
    }
    if (samples_.empty()) return std::nullopt;
    finish();
    return std::move(dataset_);
  }

 private:
  struct Found {
    std::string path;
    std::string class_name;
    std::string split;
  };

  void note(std::string text) { dataset_.notes.push_back(std::move(text)); }

  // train/ with or without company, or nothing but folders named like splits.
  static bool is_split_layout(const std::vector<std::string>& folders) {
    const bool has_train = std::any_of(folders.begin(), folders.end(), [](const auto& name) {
      return is_split_name(name) && split_name(name) == "train";
    });
    return has_train || (!folders.empty() && std::all_of(folders.begin(), folders.end(), is_split_name));
  }

  // A lone folder around the classes ("images"), or "" when the classes lie right here. One class makes no
  // data set, so a lone folder that holds folders and no images is a wrapper.
  std::string wrapper_of(const Listing& top) {
    if (top.folders.size() != 1) return {};
    const auto inner = list_folder(dataset_.root / top.folders.front());
    const bool has_images = std::any_of(inner.files.begin(), inner.files.end(), [](const auto& name) {
      return holds(kReadable, lower_extension(name));
    });
    if (has_images || inner.folders.size() < 2) return {};
    note(fmt::format("the classes are the folders in {}", top.folders.front()));
    return top.folders.front();
  }

  // Every folder in `below` (relative to the root) is a class.
  void read_classes(const std::string& below, const std::string& split) {
    const auto listing = list_folder(below.empty() ? dataset_.root : dataset_.root / below);
    for (const auto& file : listing.files) outside_ += holds(kReadable, lower_extension(file));
    for (const auto& name : listing.folders) {
      classes_.emplace(name, 0);
      // A link back to the data set itself would label all of its images a second time.
      std::set<std::pair<dev_t, ino_t>> visited;
      for (const auto& above : {dataset_.root, dataset_.root / below}) remember(above, visited);
      walk(below.empty() ? name : below + "/" + name, name, split, visited);
    }
  }

  // False when it was there already.
  static bool remember(const fs::path& folder, std::set<std::pair<dev_t, ino_t>>& visited) {
    struct stat status{};
    if (::stat(folder.c_str(), &status) != 0) {
      throw Error(fmt::format("cannot list {}: {}", folder.string(), std::strerror(errno)));
    }
    return visited.emplace(status.st_dev, status.st_ino).second;
  }

  // All images of a class, however deep. A folder reached a second time through links is not read again.
  void walk(const std::string& below, const std::string& class_name, const std::string& split,
            std::set<std::pair<dev_t, ino_t>>& visited) {
    const auto folder = dataset_.root / below;
    if (!remember(folder, visited)) return;
    const auto listing = list_folder(folder);
    for (const auto& file : listing.files) {
      const auto extension = lower_extension(file);
      if (holds(kReadable, extension)) {
        samples_.push_back({below + "/" + file, class_name, split});
        ++classes_[class_name];
      } else if (holds(kUnreadable, extension)) {
        ++unreadable_[extension];
      }
    }
    for (const auto& name : listing.folders) walk(below + "/" + name, class_name, split, visited);
  }

  void finish() {
    std::map<std::string, std::int32_t> labels;
    std::vector<std::string> empty;
    for (const auto& [name, images] : classes_) {
      if (images == 0) {
        empty.push_back(name);
        continue;
      }
      labels.emplace(name, static_cast<std::int32_t>(dataset_.classes.size()));
      dataset_.classes.push_back({name, clean_class_name(name), {}});
    }
    std::sort(samples_.begin(), samples_.end(),
              [](const Found& a, const Found& b) { return a.path < b.path; });
    for (auto& found : samples_) {
      Sample sample;
      sample.id = static_cast<std::int64_t>(dataset_.samples.size());
      sample.path = std::move(found.path);
      sample.label = labels.at(found.class_name);
      sample.own_split = std::move(found.split);
      dataset_.samples.push_back(std::move(sample));
    }
    note_what_was_left_out(empty);
  }

  void note_what_was_left_out(const std::vector<std::string>& empty) {
    if (!empty.empty())
      note(fmt::format("folders without images are no classes: {}", fmt::join(empty, ", ")));
    if (outside_ > 0) note(fmt::format("{} images lie outside the class folders and are left out", outside_));
    for (const auto& [extension, count] : unreadable_) {
      note(
          fmt::format("{} {} files are left out; convert them to JPEG or PNG to use them", count, extension));
    }
  }

  Dataset dataset_;
  std::vector<Found> samples_;
  std::map<std::string, std::int64_t> classes_;  // images in each, over all splits
  std::map<std::string, std::int64_t> unreadable_;
  std::int64_t outside_ = 0;
};

}  // namespace

bool is_image_name(const std::filesystem::path& file) { return holds(kReadable, lower_extension(file)); }

std::optional<Dataset> read_class_folders(const fs::path& folder) {
  auto dataset = FolderReader(folder).read();
  if (dataset) dataset->kind = "folder";
  return dataset;
}

}  // namespace procsim
