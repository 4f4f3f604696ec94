#pragma once

#include <string>
#include <utility>
#include <vector>

#include "taxonomy/tree/taxonomy.hpp"

namespace procsim::test {

// Parts from (child, parent) names and (class, node) names. The first parent of a node is its tree parent;
// nodes are made in the order in which they are first named.
inline taxonomy::TaxonomyParts make_parts(const std::vector<std::pair<std::string, std::string>>& edges,
                                          const std::vector<std::pair<std::string, std::string>>& classes,
                                          std::string dataset = "sample") {
  taxonomy::TaxonomyParts parts;
  parts.dataset = std::move(dataset);
  const auto index = [&](const std::string& id) {
    for (taxonomy::NodeIndex i = 0; i < parts.nodes.size(); ++i) {
      if (parts.nodes[i].id == id) return i;
    }
    parts.nodes.push_back({id, id, "", ""});
    parts.tree_parent.emplace_back();
    return static_cast<taxonomy::NodeIndex>(parts.nodes.size() - 1);
  };
  for (const auto& [child, parent] : edges) {
    const auto from = index(child);
    const auto to = index(parent);
    parts.edges.push_back({from, to});
    if (!parts.tree_parent[from]) parts.tree_parent[from] = to;
  }
  for (const auto& [name, node] : classes) {
    if (parts.nodes.empty()) index(node);
    parts.classes.push_back({name, name, node, taxonomy::Resolution::kImported, "", ""});
  }
  return parts;
}

// bird ─┬─ seabird ── gull:    Heermann Gull (0), Ivory Gull (1)
//       │         └── auk ── auklet: Crested Auklet (2)
//       └─ finch:              Purple Finch (3)
//          └── sparrow:        Fox Sparrow (4), House Sparrow (5)
// auk also has finch as a second parent in the graph; "raptor" has no classes.
inline taxonomy::Taxonomy birds() {
  return taxonomy::Taxonomy(make_parts({{"seabird", "bird"},
                                        {"gull", "seabird"},
                                        {"auk", "seabird"},
                                        {"auk", "finch"},
                                        {"auklet", "auk"},
                                        {"finch", "bird"},
                                        {"sparrow", "finch"},
                                        {"raptor", "bird"}},
                                       {{"Heermann Gull", "gull"},
                                        {"Ivory Gull", "gull"},
                                        {"Crested Auklet", "auklet"},
                                        {"Purple Finch", "finch"},
                                        {"Fox Sparrow", "sparrow"},
                                        {"House Sparrow", "sparrow"}},
                                       "birds"));
}

}  // namespace procsim::test
