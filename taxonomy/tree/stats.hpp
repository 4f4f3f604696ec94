#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "taxonomy/tree/taxonomy.hpp"

namespace procsim::taxonomy {

struct TaxonomyStats {
  std::string dataset;
  std::string root;  // id
  std::int64_t classes = 0;
  std::int64_t nodes = 0;          // of the full tree, leaves not counted
  std::int64_t further_edges = 0;  // of the graph, beside the tree's
  std::int64_t groups = 0;         // inner nodes of the collapsed tree
  std::uint32_t deepest = 0;       // leaf, in edges of the full tree
  double mean_depth = 0;           // of leaves, likewise
  double mean_children = 0;        // of a group
  double mean_siblings = 0;  // classes that semantic noise can turn a class into without climbing further
  double mean_distance = 0;  // over pairs of different classes, edges of the full tree; 0 for one class
  std::int64_t lonely = 0;   // classes that are the only one of their family below the root
  std::map<std::string, std::int64_t> resolutions;
  struct Family {
    std::string id;
    std::string name;
    std::int64_t classes = 0;
  };
  std::vector<Family> families;  // children of the collapsed tree's root that are no classes, largest first
};

// Throws Error when the taxonomy has no classes.
TaxonomyStats describe(const Taxonomy& taxonomy);

}  // namespace procsim::taxonomy
