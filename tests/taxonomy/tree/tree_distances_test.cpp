#include "taxonomy/tree/tree_distances.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "taxonomy/tree/class_tree.hpp"

namespace procsim::taxonomy {
namespace {

// (0 1) 2
ClassTree three_leaves() {
  ClassTree tree;
  tree.nodes.resize(5);
  for (const auto& [node, parent] : {std::pair{1, 0}, std::pair{2, 1}, std::pair{3, 1}, std::pair{4, 0}})
    tree.nodes[static_cast<std::size_t>(node)].parent = parent;
  tree.leaf_of = {2, 3, 4};
  return tree;
}

TEST(TreeDistances, AreStepsUpToTheAncestorThatHoldsBoth) {
  const auto distances = tree_distances(three_leaves(), std::vector<std::int32_t>{2, 0, 1});
  EXPECT_EQ(distances.classes(), 3);
  EXPECT_EQ(distances.distance(1, 2), 1) << "labels 0 and 1, in the order of the classes";
  EXPECT_EQ(distances.distance(1, 0), 2);
  EXPECT_EQ(distances.distance(0, 1), 1) << "label 2 hangs from the root";
}

TEST(TreeDistances, ALabelWithoutALeafIsAnError) {
  EXPECT_THROW(tree_distances(three_leaves(), std::vector<std::int32_t>{0, 3}), Error);
}

}  // namespace
}  // namespace procsim::taxonomy
