#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "data/labels/label_set.hpp"
#include "taxonomy/tree/taxonomy.hpp"
#include "tests/taxonomy/sample_trees.hpp"

namespace procsim::test {

// A tree with inner nodes of every kind, three levels deep and uneven; "Great Auk" (11) hangs from auk
// itself.
inline taxonomy::Taxonomy noise_birds() {
  return taxonomy::Taxonomy(make_parts({{"seabird", "bird"},
                                        {"gull", "seabird"},
                                        {"auk", "seabird"},
                                        {"auklet", "auk"},
                                        {"passerine", "bird"},
                                        {"finch", "passerine"},
                                        {"sparrow", "finch"},
                                        {"warbler", "passerine"},
                                        {"raptor", "bird"},
                                        {"owl", "raptor"}},
                                       {{"Heermann Gull", "gull"},
                                        {"Ivory Gull", "gull"},
                                        {"Western Gull", "gull"},
                                        {"Crested Auklet", "auklet"},
                                        {"Least Auklet", "auklet"},
                                        {"Purple Finch", "finch"},
                                        {"Fox Sparrow", "sparrow"},
                                        {"House Sparrow", "sparrow"},
                                        {"Blue-winged Warbler", "warbler"},
                                        {"Barn Owl", "owl"},
                                        {"Osprey", "raptor"},
                                        {"Great Auk", "auk"}},
                                       "birds"));
}

inline LabelSetInfo info_of(const taxonomy::Taxonomy& taxonomy) {
  LabelSetInfo info;
  info.dataset = taxonomy.dataset();
  for (const auto& entry : taxonomy.classes())
    info.classes.push_back({entry.name, entry.published, entry.node});
  info.provenance = nlohmann::ordered_json::object();
  return info;
}

// `count` rows, classes in turn; every tenth is a test row when `with_test`.
inline LabelSet even_labels(const taxonomy::Taxonomy& taxonomy, std::int64_t count, bool with_test = true) {
  LabelSet set{info_of(taxonomy), {}};
  for (std::int64_t i = 0; i < count; ++i) {
    const auto label = static_cast<std::int32_t>(i % taxonomy.class_count());
    const bool test = with_test && (i / taxonomy.class_count()) % 10 == 9;
    set.rows.push_back(
        {i * 3 + 1, "images/" + std::to_string(i) + ".jpg", test ? "test" : "train", label, label});
  }
  return set;
}

inline std::map<std::int64_t, std::int32_t> labels_by_id(const std::filesystem::path& path) {
  std::map<std::int64_t, std::int32_t> labels;
  for (const auto& row : read_label_set(path).rows) labels[row.sample_id] = row.label;
  return labels;
}

}  // namespace procsim::test
