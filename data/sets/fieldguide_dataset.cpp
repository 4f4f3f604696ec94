#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "data/sets/dataset_readers.hpp"
#include "data/sets/fieldguide.hpp"

namespace procsim {

Dataset read_fieldguide(const std::filesystem::path& folder) {
  Dataset dataset;
  dataset.name = dataset.kind = "fieldguide";
  dataset.root = folder;
  if (!fieldguide_is_complete(folder)) {
    generate_fieldguide(folder);
    dataset.notes.push_back(fmt::format("the data set was drawn into {}", folder.string()));
  }
  const auto& species = fieldguide_classes();
  for (std::size_t i = 0; i < species.size(); ++i) {
    auto published = species[i].name;
    std::replace(published.begin(), published.end(), ' ', '_');
    dataset.classes.push_back({std::move(published), species[i].name, {}});
    for (int image = 0; image < kFieldguideImagesPerClass; ++image) {
      Sample sample;
      sample.id = static_cast<std::int64_t>(dataset.samples.size());
      sample.path = fieldguide_image_path(static_cast<int>(i), image);
      sample.label = static_cast<std::int32_t>(i);
      sample.own_split = species[i].train ? "train" : "test";
      dataset.samples.push_back(std::move(sample));
    }
  }
  return dataset;
}

}  // namespace procsim
