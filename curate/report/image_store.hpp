#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace procsim::curate {

// The reason why there is no image, for whoever names it: without the path that it may begin with.
std::string without_path(std::string_view why, std::string_view path);

// The images of one data set, and nothing else on the disk. A path comes from a file that somebody else may
// have written: one that is absolute, climbs with "..", or reaches outside the root through a link is
// refused.
class ImageStore {
 public:
  // Throws Error when the folder does not exist.
  explicit ImageStore(const std::filesystem::path& root);

  // A JPEG whose longer side is at most `side` pixels. Empty, with the reason in `why`, when the path is
  // refused, the file is missing or is no image.
  std::optional<std::string> thumbnail(std::string_view path, int side, int quality,
                                       std::string* why = nullptr) const;

  // The encoded image as it is (JPEG, PNG, whatever was put there); empty as above.
  std::optional<std::string> bytes(std::string_view path, std::string* why = nullptr) const;

 private:
  template <typename Work>
  std::optional<std::string> attempt(std::string_view path, std::string* why, Work work) const;

  std::filesystem::path root_;  // canonical
};

}  // namespace procsim::curate
