#pragma once

#include <cstdint>
#include <vector>

#include "taxonomy/tree/class_tree.hpp"
#include "taxonomy/tree/taxonomy.hpp"

namespace procsim::taxonomy {

enum class Chains {
  kCollapse,  // nodes with a single child are left out, as prune() does
  kKeep,      // every node above a class is there
};

// The tree that drawings and exports show: all classes, without branches that hold none. With Chains::kKeep,
// inner nodes may have one child. Throws Error when the taxonomy has no classes.
ClassTree display_tree(const Taxonomy& taxonomy, Chains chains);

// How many classes are at or below each node.
std::vector<std::int32_t> count_classes(const ClassTree& tree);

// Which family each node belongs to, for colours: 0, 1, … in tree order, −1 for what lies above all families
// and for classes outside of one. Families are the root's inner children; one that holds more than a fifth of
// the classes gives way to its own inner children, as long as that does not make too many.
std::vector<std::int32_t> families(const ClassTree& tree);

// Goes through the tree in order without recursion, so that deep trees are no danger: enter(index,
// is_last_child) on the way down, leave(index, is_last_child) on the way up; for leaves one after the other.
template <typename Enter, typename Leave>
void walk(const ClassTree& tree, std::int32_t from, Enter enter, Leave leave) {
  struct Step {
    std::int32_t index;
    bool last;
    bool up;
  };
  std::vector<Step> waiting{{from, true, false}};
  while (!waiting.empty()) {
    const auto step = waiting.back();
    waiting.pop_back();
    if (step.up) {
      leave(step.index, step.last);
      continue;
    }
    enter(step.index, step.last);
    waiting.push_back({step.index, step.last, true});
    const auto& children = tree.nodes[static_cast<std::size_t>(step.index)].children;
    for (std::size_t i = children.size(); i > 0; --i)
      waiting.push_back({children[i - 1], i == children.size(), false});
  }
}

}  // namespace procsim::taxonomy
