#include "taxonomy/tree/class_tree.hpp"

#include <functional>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "data/base/keyed_random.hpp"
#include "tests/taxonomy/sample_trees.hpp"

namespace procsim::taxonomy {
namespace {

using test::birds;
using test::make_parts;

// "(finch sparrow(4 5) 3)": names of inner nodes, labels of leaves.
std::string outline(const Taxonomy& taxonomy, const ClassTree& tree, std::int32_t index = 0) {
  const auto& node = tree.nodes[static_cast<std::size_t>(index)];
  if (node.label != ClassTree::kNone) return std::to_string(node.label);
  std::string text = std::string(taxonomy.display_name(node.origin)) + "(";
  for (const auto child : node.children)
    text += (text.back() == '(' ? "" : " ") + outline(taxonomy, tree, child);
  return text + ")";
}

std::string pruned(const Taxonomy& taxonomy, std::vector<std::int32_t> labels) {
  return outline(taxonomy, prune(taxonomy, labels));
}

TEST(ClassTree, CollapsesChainsAndDropsEmptyBranches) {
  const auto taxonomy = birds();
  EXPECT_EQ(outline(taxonomy, prune(taxonomy)), "bird(finch(sparrow(4 5) 3) seabird(2 gull(0 1)))");
}

TEST(ClassTree, KeepsOnlyTheGivenClasses) {
  const auto taxonomy = birds();
  EXPECT_EQ(pruned(taxonomy, {5, 3}), "finch(5 3)");  // the root's chain is collapsed to its lowest node
  EXPECT_EQ(pruned(taxonomy, {0, 4, 5}), "bird(sparrow(4 5) 0)");
  EXPECT_EQ(pruned(taxonomy, {2, 0}), "seabird(2 0)");
}

TEST(ClassTree, IsOneLeafForOneClass) {
  const auto taxonomy = birds();
  const auto tree = prune(taxonomy, std::vector<std::int32_t>{2});
  ASSERT_EQ(tree.nodes.size(), 1u);
  EXPECT_EQ(tree.nodes[0].label, 2);
  EXPECT_EQ(tree.nodes[0].origin, taxonomy.leaf(2));
  EXPECT_EQ(tree.nodes[0].parent, ClassTree::kNone);
}

TEST(ClassTree, RefusesWrongLabels) {
  const auto taxonomy = birds();
  EXPECT_THROW(pruned(taxonomy, {}), Error);
  EXPECT_THROW(pruned(taxonomy, {0, 6}), Error);
  EXPECT_THROW(pruned(taxonomy, {-1}), Error);
  EXPECT_THROW(pruned(taxonomy, {1, 2, 1}), Error);
  EXPECT_THROW(prune(Taxonomy(make_parts({{"a", "top"}}, {}))), Error);
}

// On random trees and subsets: the promises of the header, and the climb to the first ancestor with another
// class below it, computed from the taxonomy itself.
TEST(ClassTree, KeepsItsPromisesOnRandomTrees) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    auto draws = KeyedRandom(seed, "class-tree-test").for_id(0);
    std::vector<std::pair<std::string, std::string>> edges, classes;
    const auto nodes = 1 + draws.below(15);
    for (std::uint64_t i = 1; i < nodes; ++i) {
      edges.emplace_back(fmt::format("n{}", i), fmt::format("n{}", draws.below(i)));
    }
    const auto leaves = 1 + draws.below(12);
    for (std::uint64_t i = 0; i < leaves; ++i) {
      classes.emplace_back(fmt::format("c{}", i), fmt::format("n{}", draws.below(nodes)));
    }
    const Taxonomy taxonomy(make_parts(edges, classes));
    std::vector<std::int32_t> kept;
    for (std::int32_t label = 0; label < taxonomy.class_count(); ++label) {
      if (draws.below(2) == 0) kept.push_back(label);
    }
    if (kept.empty()) kept.push_back(0);
    const auto tree = prune(taxonomy, kept);

    std::size_t seen = 0;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      const auto& node = tree.nodes[i];
      EXPECT_EQ(node.parent == ClassTree::kNone, i == 0);
      EXPECT_LT(node.parent, static_cast<std::int32_t>(i)) << "parents come first";
      EXPECT_TRUE(node.label != ClassTree::kNone || node.children.size() >= 2);
      if (node.label != ClassTree::kNone) {
        EXPECT_TRUE(node.children.empty());
        EXPECT_EQ(tree.leaf_of[static_cast<std::size_t>(node.label)], static_cast<std::int32_t>(i));
        ++seen;
      }
    }
    EXPECT_EQ(seen, kept.size());
    if (kept.size() < 2) continue;
    for (const auto label : kept) {
      auto climbed = *taxonomy.parent(taxonomy.leaf(label));
      const auto others = [&](NodeIndex node) {
        std::size_t count = 0;
        for (const auto other : taxonomy.classes_below(node))
          count += std::ranges::count(kept, other) > 0 ? 1 : 0;
        return count;
      };
      while (others(climbed) < 2) climbed = *taxonomy.parent(climbed);
      const auto leaf = static_cast<std::size_t>(tree.leaf_of[static_cast<std::size_t>(label)]);
      EXPECT_EQ(tree.nodes[static_cast<std::size_t>(tree.nodes[leaf].parent)].origin, climbed);
    }
  }
}

}  // namespace
}  // namespace procsim::taxonomy
