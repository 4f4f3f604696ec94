#include "taxonomy/tree/stats.hpp"

#include <algorithm>

#include "taxonomy/tree/display_tree.hpp"

namespace procsim::taxonomy {
namespace {

// Sum of distances over unordered pairs: each tree edge lies between (classes below it) × (all the others)
// pairs.
double sum_of_distances(const Taxonomy& taxonomy) {
  const auto all = static_cast<double>(taxonomy.class_count());
  double sum = all * (all - 1);  // the classes' own edges
  for (NodeIndex i = 0; i < taxonomy.node_count(); ++i) {
    if (!taxonomy.parent(i)) continue;
    const auto below = static_cast<double>(taxonomy.class_count_below(i));
    sum += below * (all - below);
  }
  return sum;
}

void describe_collapsed(const Taxonomy& taxonomy, TaxonomyStats& stats) {
  const auto tree = display_tree(taxonomy, Chains::kCollapse);
  const auto counts = count_classes(tree);
  double children = 0, reachable = 0;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const auto& node = tree.nodes[i];
    if (node.label == ClassTree::kNone) {
      ++stats.groups;
      children += static_cast<double>(node.children.size());
    } else if (node.parent != ClassTree::kNone) {
      reachable += counts[static_cast<std::size_t>(node.parent)] - 1;
    }
  }
  if (stats.groups > 0) stats.mean_children = children / static_cast<double>(stats.groups);
  stats.mean_siblings = reachable / static_cast<double>(stats.classes);
  for (const auto child : tree.nodes.front().children) {
    const auto at = static_cast<std::size_t>(child);
    if (tree.nodes[at].label != ClassTree::kNone) {
      ++stats.lonely;
      continue;
    }
    const auto& node = taxonomy.node(tree.nodes[at].origin);
    stats.families.push_back(
        {node.id, std::string(taxonomy.display_name(tree.nodes[at].origin)), counts[at]});
  }
  std::ranges::stable_sort(stats.families, std::ranges::greater{}, &TaxonomyStats::Family::classes);
}

}  // namespace

TaxonomyStats describe(const Taxonomy& taxonomy) {
  TaxonomyStats stats;
  stats.dataset = taxonomy.dataset();
  stats.root = taxonomy.node(taxonomy.root()).id;
  stats.classes = taxonomy.class_count();
  stats.nodes = taxonomy.node_count();
  stats.further_edges = static_cast<std::int64_t>(taxonomy.parts().edges.size()) - (stats.nodes - 1);
  describe_collapsed(taxonomy, stats);
  double depths = 0;
  for (std::int32_t label = 0; label < taxonomy.class_count(); ++label) {
    const auto depth = taxonomy.depth(taxonomy.leaf(label));
    depths += depth;
    stats.deepest = std::max(stats.deepest, depth);
    ++stats.resolutions[std::string(to_string(taxonomy.class_at(label).how))];
  }
  const auto all = static_cast<double>(stats.classes);
  stats.mean_depth = depths / all;
  if (stats.classes > 1) stats.mean_distance = sum_of_distances(taxonomy) / (all * (all - 1) / 2);
  return stats;
}

}  // namespace procsim::taxonomy
