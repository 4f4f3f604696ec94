#pragma once

// The paths of a table's images. Included by sources of data/ only.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "data/sets/dataset.hpp"

namespace procsim {

// Paths are relative to the root, or absolute and below it. Where nobody named a root and the paths are
// absolute and lie elsewhere, as `datasets` writes those of images that it did not embed, the root is the
// lowest folder that holds them all.
class TablePaths {
 public:
  // `root` is what absolute_folder gave; `is_given` when the user named it.
  TablePaths(std::filesystem::path root, bool is_given) : root_(std::move(root)), is_given_(is_given) {}

  // The path of the next sample. Throws Error, without the place, for one that is empty or outside the root.
  std::string add(std::string_view path);

  // After the last sample: the root, and paths relative to it. Throws Error when some are relative and some
  // absolute, or nothing but the whole disk holds them all.
  void finish(Dataset& dataset);

 private:
  std::filesystem::path root_;
  bool is_given_;
  bool any_below_ = false;
  std::optional<std::filesystem::path> common_;  // of paths that are absolute and outside the root
};

}  // namespace procsim
