#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "taxonomy/tree/class_tree.hpp"
#include "taxonomy/tree/taxonomy.hpp"

namespace procsim::taxonomy {

// Questions about the tree (not the graph). A place is a node or a class's leaf, by its index in the
// taxonomy. Edges are those of the full tree, nothing collapsed; the edge between a class and its node
// counts.

// From the parent up to the root; empty for the root.
std::vector<NodeIndex> ancestors(const Taxonomy& taxonomy, NodeIndex place);

// The lowest place that both are at or below: `a` itself when b is below it.
NodeIndex lowest_common_ancestor(const Taxonomy& taxonomy, NodeIndex a, NodeIndex b);

// Edges between two places.
std::uint32_t distance(const Taxonomy& taxonomy, NodeIndex a, NodeIndex b);

// Depth of the deepest node or leaf, in edges from the root.
std::uint32_t greatest_depth(const Taxonomy& taxonomy);

// What semantic noise draws from: the other children of the class's parent in the pruned tree, as indices
// into tree.nodes. An inner one stands for all classes below it. Empty when the tree has no other class.
std::vector<std::int32_t> siblings(const ClassTree& tree, std::int32_t label);
// The lowest node of the pruned tree that both are at or below, and the edges between them.
std::int32_t lowest_common_ancestor(const ClassTree& tree, std::int32_t a, std::int32_t b);
std::int32_t distance(const ClassTree& tree, std::int32_t a, std::int32_t b);
// The classes at or below a node of the pruned tree, ascending.
std::vector<std::int32_t> labels_below(const ClassTree& tree, std::int32_t index);

// How near two places are.
//   distance          d, edges between them
//   path              1 / (1 + d)
//   wu-palmer         2·N(lca) / (N(a) + N(b)), N = nodes from the root to the place, both included (root: 1)
//   leacock-chodorow  −ln((d + 1) / 2D), D = greatest_depth, at least 1
// The similarities are NLTK's definitions on a tree. WordNet's own values differ where the taxonomy's root is
// not entity.n.01: depth counts from the taxonomy's root.
enum class Measure { kDistance, kPath, kWuPalmer, kLeacockChodorow };
std::string_view to_string(Measure measure);
std::vector<std::string> measure_names();
Measure measure_from_string(std::string_view text);  // throws Error with the nearest known name
double measure(const Taxonomy& taxonomy, Measure which, NodeIndex a, NodeIndex b);

// All classes against all classes, a row at a time: O(classes) each, however deep the tree. Rows may be made
// by several threads at once. The taxonomy must outlive it.
class ClassMatrix {
 public:
  explicit ClassMatrix(const Taxonomy& taxonomy);

  // `out` has a place per class.
  void distances(std::int32_t label, std::span<std::int32_t> out) const;
  void measures(std::int32_t label, Measure which, std::span<double> out) const;

 private:
  void lca_depths(std::int32_t label, std::span<std::int32_t> out) const;

  const Taxonomy& taxonomy_;
  std::vector<std::int32_t> order_;                               // classes as the tree meets them
  std::vector<std::pair<std::uint32_t, std::uint32_t>> stretch_;  // a node's classes within order_
  std::vector<std::int32_t> depth_;                               // of each class's leaf
  double greatest_depth_ = 1;
};

}  // namespace procsim::taxonomy
