#include "taxonomy/tree/tree_distances.hpp"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "taxonomy/tree/class_tree.hpp"

namespace procsim::taxonomy {

ClassDistances tree_distances(const ClassTree& tree, std::span<const std::int32_t> labels) {
  std::vector<std::int32_t> parents;
  for (const auto& node : tree.nodes) parents.push_back(node.parent);
  std::vector<std::int32_t> leaves;
  for (const auto label : labels) {
    const bool known = label >= 0 && static_cast<std::size_t>(label) < tree.leaf_of.size();
    leaves.push_back(known ? tree.leaf_of[static_cast<std::size_t>(label)] : ClassTree::kNone);
    if (leaves.back() == ClassTree::kNone)
      throw Error(fmt::format("the class tree has no leaf for label {}", label));
  }
  return {std::move(parents), leaves};
}

}  // namespace procsim::taxonomy
