#include "curate/report/image_store.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "data/images/image.hpp"
#include "data/sets/dataset.hpp"

namespace procsim::curate {

namespace fs = std::filesystem;

std::string without_path(std::string_view why, std::string_view path) {
  const bool begins = why.starts_with(path) && why.substr(path.size()).starts_with(": ");
  return std::string(begins ? why.substr(path.size() + 2) : why);
}

ImageStore::ImageStore(const fs::path& root) {
  std::error_code failure;
  root_ = fs::canonical(root, failure);
  if (failure || !fs::is_directory(root_))
    throw Error(
        fmt::format("{}: no such folder of images. Give the data set's root with --root.", root.string()));
}

// What the work gives, or nothing and the reason.
template <typename Work>
std::optional<std::string> ImageStore::attempt(std::string_view path, std::string* why, Work work) const {
  const auto refuse = [&](std::string reason) -> std::optional<std::string> {
    if (why) *why = std::move(reason);
    return std::nullopt;
  };
  // As it is written: ".." is no part of a path that a label set has.
  const fs::path written(path);
  if (std::ranges::find(written, fs::path("..")) != written.end())
    return refuse("outside the data set's folder");
  try {
    return work(read_sample_bytes(root_, path, Links::kStayBelow));
  } catch (const Error& error) {
    return refuse(error.what());
  }
}

std::optional<std::string> ImageStore::thumbnail(std::string_view path, int side, int quality,
                                                 std::string* why) const {
  return attempt(path, why,
                 [&](const std::string& bytes) { return thumbnail_jpeg(bytes, path, side, quality); });
}

std::optional<std::string> ImageStore::bytes(std::string_view path, std::string* why) const {
  return attempt(path, why, [](std::string bytes) { return bytes; });
}

}  // namespace procsim::curate
