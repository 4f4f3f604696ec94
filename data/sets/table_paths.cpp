#include "data/sets/table_paths.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/base/normal_text.hpp"
#include "data/sets/dataset_readers.hpp"
#include "data/sets/sample_path.hpp"

namespace procsim {

namespace fs = std::filesystem;

std::string TablePaths::add(std::string_view path) {
  if (auto below = path_below_root(path, root_)) {
    any_below_ = true;
    return std::move(*below);
  }
  if (normal_text(path).empty()) throw Error("it is empty");
  const auto whole = fs::path(path).lexically_normal();
  // A table that somebody else wrote may name any file: only what is called an image is looked for elsewhere.
  const bool may_be_elsewhere =
      !is_given_ && whole.is_absolute() && path.find('\0') == std::string_view::npos && is_image_name(whole);
  if (!may_be_elsewhere)
    throw Error(fmt::format("'{}' is outside {}. Say which folder the images are below with --root DIR.",
                            path, root_.string()));
  const auto folder = whole.parent_path();
  if (!common_) common_ = folder;
  const auto end = std::ranges::mismatch(*common_, folder).in1;
  if (end != common_->end()) {
    fs::path shared;
    for (auto part = common_->begin(); part != end; ++part) shared /= *part;
    common_ = shared;
  }
  return whole.generic_string();
}

void TablePaths::finish(Dataset& dataset) {
  dataset.root = root_;
  if (!common_) return;
  if (any_below_)
    throw Error(
        fmt::format("some paths are below {} and others below {}. Say which folder holds all images with "
                    "--root DIR.",
                    root_.string(), common_->string()));
  if (*common_ == common_->root_path())
    throw Error(
        fmt::format("the paths are absolute and share no folder ('{}'). Say which folder holds all images "
                    "with --root DIR.",
                    dataset.samples.front().path));
  for (auto& sample : dataset.samples)
    sample.path = fs::path(sample.path).lexically_relative(*common_).generic_string();
  dataset.root = *common_;
  dataset.notes.push_back(fmt::format("the paths are absolute: the images are below {}", common_->string()));
}

}  // namespace procsim
