#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "taxonomy/tree/taxonomy.hpp"

namespace procsim::taxonomy {

// A taxonomy pruned to some classes, with nodes of a single child collapsed: what semantic noise climbs and
// what is shown to people. Every inner node has two children or more. Node 0 is the root; with one class
// only, it is that leaf.
struct ClassTree {
  static constexpr std::int32_t kNone = -1;
  struct Node {
    NodeIndex origin = 0;         // in the taxonomy: the lowest node of a collapsed chain, or the leaf
    std::int32_t parent = kNone;  // index into nodes
    std::int32_t label = kNone;   // leaves only
    std::vector<std::int32_t> children;
  };
  std::vector<Node> nodes;            // parents before children
  std::vector<std::int32_t> leaf_of;  // label → index into nodes, kNone for classes that were pruned away

  // The taxonomy's node below one that is there, the last of its children; kNone: as the root. Returns its
  // index. `leaf_of` has room for every label.
  std::int32_t add(const Taxonomy& taxonomy, NodeIndex origin, std::int32_t parent);
};

// `labels` must be labels of the taxonomy, each once, at least one. Throws Error otherwise.
ClassTree prune(const Taxonomy& taxonomy, std::span<const std::int32_t> labels);
// All classes.
ClassTree prune(const Taxonomy& taxonomy);

}  // namespace procsim::taxonomy
