#include "taxonomy/tree/display_tree.hpp"

#include "data/base/error.hpp"

namespace procsim::taxonomy {
namespace {

ClassTree keep_chains(const Taxonomy& taxonomy) {
  // How many classes are below decides which branches stay. Nodes are visited parents first.
  std::vector<NodeIndex> order{taxonomy.root()};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto children = taxonomy.children(order[i]);
    order.insert(order.end(), children.begin(), children.end());
  }
  std::vector<bool> has_class(order.size(), false);
  for (std::size_t i = order.size(); i > 0; --i) {
    const auto place = order[i - 1];
    if (taxonomy.is_leaf(place)) has_class[place] = true;
    if (const auto parent = taxonomy.parent(place); parent && has_class[place]) has_class[*parent] = true;
  }

  ClassTree tree;
  tree.leaf_of.assign(static_cast<std::size_t>(taxonomy.class_count()), ClassTree::kNone);
  std::vector<std::pair<NodeIndex, std::int32_t>> waiting{{taxonomy.root(), ClassTree::kNone}};
  while (!waiting.empty()) {
    const auto [origin, parent] = waiting.back();
    waiting.pop_back();
    const auto index = tree.add(taxonomy, origin, parent);
    const auto children = taxonomy.children(origin);
    for (std::size_t i = children.size(); i > 0; --i) {
      if (has_class[children[i - 1]]) waiting.emplace_back(children[i - 1], index);
    }
  }
  return tree;
}

}  // namespace

ClassTree display_tree(const Taxonomy& taxonomy, Chains chains) {
  if (taxonomy.class_count() == 0) throw Error("the taxonomy has no classes");
  return chains == Chains::kCollapse ? prune(taxonomy) : keep_chains(taxonomy);
}

std::vector<std::int32_t> count_classes(const ClassTree& tree) {
  std::vector<std::int32_t> counts(tree.nodes.size(), 0);
  for (std::size_t i = tree.nodes.size(); i > 0; --i) {  // children come after their parents
    const auto& node = tree.nodes[i - 1];
    if (node.label != ClassTree::kNone) ++counts[i - 1];
    if (node.parent != ClassTree::kNone) counts[static_cast<std::size_t>(node.parent)] += counts[i - 1];
  }
  return counts;
}

std::vector<std::int32_t> families(const ClassTree& tree) {
  constexpr std::size_t kMostFamilies = 24;
  const auto counts = count_classes(tree);
  const auto inner_children = [&](std::int32_t index) {
    std::vector<std::int32_t> inner;
    for (const auto child : tree.nodes[static_cast<std::size_t>(index)].children) {
      if (tree.nodes[static_cast<std::size_t>(child)].label == ClassTree::kNone) inner.push_back(child);
    }
    return inner;
  };
  auto heads = inner_children(0);
  for (bool splitting = true; splitting;) {
    splitting = false;
    for (std::size_t i = 0; i < heads.size(); ++i) {
      const bool is_large = 5 * counts[static_cast<std::size_t>(heads[i])] > counts.front();
      if (!is_large) continue;
      const auto smaller = inner_children(heads[i]);
      if (smaller.empty() || heads.size() - 1 + smaller.size() > kMostFamilies) continue;
      heads.erase(heads.begin() + static_cast<std::ptrdiff_t>(i));
      heads.insert(heads.begin() + static_cast<std::ptrdiff_t>(i), smaller.begin(), smaller.end());
      splitting = true;
      break;
    }
  }
  std::vector<std::int32_t> family(tree.nodes.size(), -1);
  for (std::size_t i = 0; i < heads.size(); ++i)
    family[static_cast<std::size_t>(heads[i])] = static_cast<std::int32_t>(i);
  for (std::size_t i = 1; i < tree.nodes.size(); ++i) {  // parents come first
    if (family[i] < 0) family[i] = family[static_cast<std::size_t>(tree.nodes[i].parent)];
  }
  return family;
}

}  // namespace procsim::taxonomy
