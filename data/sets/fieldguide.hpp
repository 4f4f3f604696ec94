#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/base/progress.hpp"
#include "data/images/image.hpp"

namespace procsim {

// The embedded data set `fieldguide`: real bird names from WordNet, drawn by our own code. Shape comes from
// the family, plumage from the species; pose, size, light and background differ from image to image. Siblings
// in WordNet look alike, so semantic label noise is as hard as in life. docs/fieldguide.md shows it.
//
// The pictures are part of a format: whoever changes one of them raises this version, and folders made before
// are made anew.
inline constexpr int kFieldguideVersion = 1;
inline constexpr int kFieldguideImagesPerClass = 40;
inline constexpr int kFieldguideImageSide = 96;

struct FieldguideClass {
  std::string name;    // as WordNet writes it, spaces for underscores: "red-tailed hawk"
  std::string family;  // an ancestor in WordNet that all species of the family share: "hawk"
  bool train = false;  // else its images are unseen test images
};

// 48 species in 8 families, three of each family for training and three for testing. The training classes
// come first, so that the official split (first half trains) and the folders say the same.
const std::vector<FieldguideClass>& fieldguide_classes();

// The picture's path below the data set's folder: "train/red-tailed_hawk/007.jpg".
std::string fieldguide_image_path(int class_index, int image_index);

// One picture, kFieldguideImageSide square. Depends on its two indices only.
Image draw_fieldguide_bird(int class_index, int image_index);

// Makes sure that `folder` holds the whole data set: <split>/<species>/NNN.jpg and fieldguide.json. A folder
// that is complete and of this version is left alone (quick). Otherwise everything is drawn into a temporary
// folder beside it, which then takes its place: nobody sees half a data set. `threads` 0: as many as there
// are cores; the bytes do not depend on it. Throws Error when `folder` holds anything that we do not write,
// is of a newer version, or cannot be written.
void generate_fieldguide(const std::filesystem::path& folder, const Progress& progress = {}, int threads = 0);

// The version that the folder's fieldguide.json gives; empty when it has none of ours.
std::optional<std::int64_t> fieldguide_version(const std::filesystem::path& folder);

// True when generate_fieldguide would have nothing to do.
bool fieldguide_is_complete(const std::filesystem::path& folder);

}  // namespace procsim
