#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "noise/label_statistics.hpp"
#include "taxonomy/tree/taxonomy.hpp"

namespace procsim::noise {

// The split's classes in the order of the tree's leaves, so that relatives stand together, with the groups
// that inner nodes make of them. Without a taxonomy: label order and no groups.
struct ClassOrder {
  struct Group {
    std::string name;
    std::size_t begin = 0, end = 0;  // places, [begin, end)
    std::int32_t depth = 0;          // 1: below the root
  };
  std::vector<std::int32_t> labels;
  std::vector<Group> groups;  // of two classes or more; outer before inner
};
ClassOrder order_classes(const ConfusionCounts& counts, const taxonomy::Taxonomy* taxonomy);

// Rows true_label, true_class, label, class, count, share (of the true class), in that order; only pairs that
// occur.
std::string confusion_csv(const ConfusionCounts& counts, const ClassOrder& order);

// A picture: true classes downwards, labels to the right, right labels pale on the diagonal, wrong ones from
// light to dark by their share of the true class, groups framed. The same input gives the same bytes.
std::string confusion_svg(const ConfusionCounts& counts, const ClassOrder& order);

// A page of its own with the picture, names under the pointer, and the most frequent errors in a table.
std::string confusion_html(const ConfusionCounts& counts, const ClassOrder& order);

}  // namespace procsim::noise
