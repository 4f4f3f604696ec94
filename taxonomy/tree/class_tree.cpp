#include "taxonomy/tree/class_tree.hpp"

#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "data/base/error.hpp"

namespace procsim::taxonomy {
namespace {

// How many of the classes lie at or below each node and leaf.
std::vector<std::uint32_t> count_below(const Taxonomy& taxonomy, std::span<const std::int32_t> labels) {
  std::vector<std::uint32_t> below(taxonomy.node_count() + static_cast<std::size_t>(taxonomy.class_count()),
                                   0);
  for (const auto label : labels) {
    if (label < 0 || label >= taxonomy.class_count()) {
      throw Error(fmt::format("label {} is not a class of the taxonomy: labels go from 0 to {}", label,
                              taxonomy.class_count() - 1));
    }
    if (below[taxonomy.leaf(label)]++ > 0) throw Error(fmt::format("label {} is given twice", label));
  }
  std::vector<NodeIndex> order{taxonomy.root()};  // parents before children
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto children = taxonomy.children(order[i]);
    order.insert(order.end(), children.begin(), children.end());
  }
  for (auto i = order.size() - 1; i > 0; --i) below[*taxonomy.parent(order[i])] += below[order[i]];
  return below;
}

}  // namespace

std::int32_t ClassTree::add(const Taxonomy& taxonomy, NodeIndex origin, std::int32_t parent) {
  const auto index = static_cast<std::int32_t>(nodes.size());
  Node node{origin, parent, kNone, {}};
  if (taxonomy.is_leaf(origin)) {
    node.label = taxonomy.label_of_leaf(origin);
    leaf_of[static_cast<std::size_t>(node.label)] = index;
  }
  nodes.push_back(std::move(node));
  if (parent != kNone) nodes[static_cast<std::size_t>(parent)].children.push_back(index);
  return index;
}

ClassTree prune(const Taxonomy& taxonomy, std::span<const std::int32_t> labels) {
  if (labels.empty()) throw Error("a class tree needs at least one class");
  const auto below = count_below(taxonomy, labels);

  ClassTree tree;
  tree.leaf_of.assign(static_cast<std::size_t>(taxonomy.class_count()), ClassTree::kNone);
  std::vector<std::pair<NodeIndex, std::int32_t>> waiting{{taxonomy.root(), ClassTree::kNone}};
  std::vector<NodeIndex> kept;
  while (!waiting.empty()) {
    auto [origin, parent] = waiting.back();
    waiting.pop_back();
    for (;;) {  // down the chain while there is only one way
      kept.clear();
      for (const auto child : taxonomy.children(origin)) {
        if (below[child] > 0) kept.push_back(child);
      }
      if (kept.size() != 1) break;
      origin = kept.front();
    }
    const auto index = tree.add(taxonomy, origin, parent);
    for (auto child = kept.rbegin(); child != kept.rend(); ++child) waiting.emplace_back(*child, index);
  }
  return tree;
}

ClassTree prune(const Taxonomy& taxonomy) {
  std::vector<std::int32_t> labels(static_cast<std::size_t>(taxonomy.class_count()));
  std::iota(labels.begin(), labels.end(), 0);
  return prune(taxonomy, labels);
}

}  // namespace procsim::taxonomy
