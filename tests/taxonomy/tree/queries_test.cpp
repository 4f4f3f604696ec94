#include "taxonomy/tree/queries.hpp"

#include <cmath>
#include <limits>
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
using testing::ElementsAre;

std::vector<std::string> names(const Taxonomy& taxonomy, const std::vector<NodeIndex>& places) {
  std::vector<std::string> result;
  for (const auto place : places) result.emplace_back(taxonomy.display_name(place));
  return result;
}

TEST(Queries, AncestorsGoFromTheParentToTheRoot) {
  const auto taxonomy = birds();
  EXPECT_THAT(names(taxonomy, ancestors(taxonomy, taxonomy.leaf(2))),
              ElementsAre("auklet", "auk", "seabird", "bird"));
  EXPECT_TRUE(ancestors(taxonomy, taxonomy.root()).empty());
}

TEST(Queries, LowestCommonAncestorOfClassesAndNodes) {
  const auto taxonomy = birds();
  const auto lca = [&](NodeIndex a, NodeIndex b) {
    return std::string(taxonomy.display_name(lowest_common_ancestor(taxonomy, a, b)));
  };
  EXPECT_EQ(lca(taxonomy.leaf(0), taxonomy.leaf(1)), "gull");
  EXPECT_EQ(lca(taxonomy.leaf(0), taxonomy.leaf(2)), "seabird");
  EXPECT_EQ(lca(taxonomy.leaf(3), taxonomy.leaf(5)), "finch");
  EXPECT_EQ(lca(taxonomy.leaf(2), taxonomy.leaf(3)), "bird") << "the tree counts, not auk's second parent";
  EXPECT_EQ(lca(taxonomy.leaf(4), taxonomy.leaf(4)), "Fox Sparrow");
  EXPECT_EQ(lca(*taxonomy.find_node("auk"), taxonomy.leaf(2)), "auk");
}

TEST(Queries, DistanceCountsEdgesOfTheFullTree) {
  const auto taxonomy = birds();
  EXPECT_EQ(distance(taxonomy, taxonomy.leaf(0), taxonomy.leaf(0)), 0u);
  EXPECT_EQ(distance(taxonomy, taxonomy.leaf(0), taxonomy.leaf(1)), 2u);
  // gull → seabird → auk → auklet, and an edge to the class at each end
  EXPECT_EQ(distance(taxonomy, taxonomy.leaf(0), taxonomy.leaf(2)), 5u);
  EXPECT_EQ(distance(taxonomy, taxonomy.leaf(3), taxonomy.leaf(4)), 3u);
  EXPECT_EQ(greatest_depth(taxonomy), 4u);
}

TEST(Queries, InThePrunedTreeChainsCountAsOneEdge) {
  const auto taxonomy = birds();
  const auto tree = prune(taxonomy);
  const auto lca = [&](std::int32_t a, std::int32_t b) {
    const auto node = lowest_common_ancestor(tree, tree.leaf_of.at(static_cast<std::size_t>(a)),
                                             tree.leaf_of.at(static_cast<std::size_t>(b)));
    return std::string(taxonomy.display_name(tree.nodes.at(static_cast<std::size_t>(node)).origin));
  };
  EXPECT_EQ(lca(0, 1), "gull");
  EXPECT_EQ(lca(2, 0), "seabird");
  EXPECT_EQ(lca(2, 3), "bird");
  EXPECT_EQ(lca(4, 4), "Fox Sparrow");
  EXPECT_EQ(distance(tree, tree.leaf_of[0], tree.leaf_of[0]), 0);
  // gull → seabird, where auk and auklet have one child only, and an edge to the class at each end
  EXPECT_EQ(distance(tree, tree.leaf_of[0], tree.leaf_of[2]), 3);
  EXPECT_EQ(distance(tree, tree.leaf_of[2], tree.leaf_of[0]), 3);
}

TEST(Queries, SiblingsAreTheOtherChildrenInThePrunedTree) {
  const auto taxonomy = birds();
  const auto tree = prune(taxonomy);
  const auto below = [&](std::int32_t label) {
    std::vector<std::vector<std::int32_t>> result;
    for (const auto sibling : siblings(tree, label)) result.push_back(labels_below(tree, sibling));
    return result;
  };
  EXPECT_THAT(below(0), ElementsAre(ElementsAre(1)));
  EXPECT_THAT(below(2), ElementsAre(ElementsAre(0, 1)))
      << "auk and auklet are collapsed: its sibling is gull";
  EXPECT_THAT(below(3), ElementsAre(ElementsAre(4, 5)));
  const auto few = prune(taxonomy, std::vector<std::int32_t>{0, 4});
  EXPECT_THAT(labels_below(few, siblings(few, 0).at(0)), ElementsAre(4));
  EXPECT_THROW(siblings(few, 1), Error);
  EXPECT_TRUE(siblings(prune(taxonomy, std::vector<std::int32_t>{3}), 3).empty());
}

// By hand: Heermann Gull (depth 3) and Crested Auklet (depth 4) meet at seabird (depth 1); the deepest leaf
// is at 4.
TEST(Queries, SimilaritiesEqualHandComputedValues) {
  const auto taxonomy = birds();
  const auto value = [&](Measure which) {
    return measure(taxonomy, which, taxonomy.leaf(0), taxonomy.leaf(2));
  };
  EXPECT_DOUBLE_EQ(value(Measure::kDistance), 5);
  EXPECT_DOUBLE_EQ(value(Measure::kPath), 1.0 / 6);
  EXPECT_DOUBLE_EQ(value(Measure::kWuPalmer), 4.0 / 9);
  EXPECT_DOUBLE_EQ(value(Measure::kLeacockChodorow), 0.28768207245178090);  // −ln(6/8)
}

// The example of NLTK's WordNet howto: dog and cat have path 0.2, Wu-Palmer 0.857142…,
// Leacock-Chodorow 2.028148…. The chains are WordNet 3.0's; a branch of 19 edges stands for its deepest noun.
TEST(Queries, SimilaritiesEqualThoseOfNltk) {
  std::vector<std::pair<std::string, std::string>> edges;
  const auto chain = [&](const std::vector<std::string>& path) {
    for (std::size_t i = 0; i + 1 < path.size(); ++i) edges.emplace_back(path[i], path[i + 1]);
  };
  chain({"dog.n.01", "canine.n.02", "carnivore.n.01", "placental.n.01", "mammal.n.01", "vertebrate.n.01",
         "chordate.n.01", "animal.n.01", "organism.n.01", "living_thing.n.01", "whole.n.02", "object.n.01",
         "physical_entity.n.01", "entity.n.01"});
  chain({"cat.n.01", "feline.n.01", "carnivore.n.01"});
  std::vector<std::string> deep;
  for (int i = 19; i > 0; --i) deep.push_back(fmt::format("deep{}", i));
  deep.emplace_back("entity.n.01");
  chain(deep);
  const Taxonomy taxonomy(make_parts(edges, {}));
  const auto dog = *taxonomy.find_node("dog.n.01"), cat = *taxonomy.find_node("cat.n.01");
  EXPECT_DOUBLE_EQ(measure(taxonomy, Measure::kPath, dog, cat), 0.2);
  EXPECT_NEAR(measure(taxonomy, Measure::kWuPalmer, dog, cat), 0.8571428571428571, 1e-15);
  EXPECT_NEAR(measure(taxonomy, Measure::kLeacockChodorow, dog, cat), 2.0281482472922856, 1e-14);
  EXPECT_NEAR(measure(taxonomy, Measure::kLeacockChodorow, dog, dog), 3.6375861597263857, 1e-14);
}

TEST(Queries, MeasureNamesGoBothWays) {
  for (const auto which :
       {Measure::kDistance, Measure::kPath, Measure::kWuPalmer, Measure::kLeacockChodorow}) {
    EXPECT_EQ(measure_from_string(to_string(which)), which);
  }
  EXPECT_THROW(measure_from_string("wu-palmr"), Error);
}

// Floyd and Warshall over all nodes and leaves of random trees: nothing in common with how the rows are made.
TEST(ClassMatrix, RowsEqualShortestPathsOnRandomTrees) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    auto draws = KeyedRandom(seed, "queries-test").for_id(0);
    std::vector<std::pair<std::string, std::string>> edges, classes;
    const auto nodes = 1 + draws.below(12);
    for (std::uint64_t i = 1; i < nodes; ++i)
      edges.emplace_back(fmt::format("n{}", i), fmt::format("n{}", draws.below(i)));
    const auto leaves = 1 + draws.below(10);
    for (std::uint64_t i = 0; i < leaves; ++i) {
      classes.emplace_back(fmt::format("c{}", i), fmt::format("n{}", draws.below(nodes)));
    }
    const Taxonomy taxonomy(make_parts(edges, classes));

    const auto places = taxonomy.node_count() + static_cast<NodeIndex>(taxonomy.class_count());
    constexpr int kFar = 1'000'000;
    std::vector<std::vector<int>> shortest(places, std::vector<int>(places, kFar));
    for (NodeIndex i = 0; i < places; ++i) {
      shortest[i][i] = 0;
      if (const auto parent = taxonomy.parent(i)) shortest[i][*parent] = shortest[*parent][i] = 1;
    }
    for (NodeIndex k = 0; k < places; ++k) {
      for (NodeIndex i = 0; i < places; ++i) {
        for (NodeIndex j = 0; j < places; ++j) {
          shortest[i][j] = std::min(shortest[i][j], shortest[i][k] + shortest[k][j]);
        }
      }
    }
    const ClassMatrix matrix(taxonomy);
    std::vector<std::int32_t> row(leaves);
    std::vector<double> similarity(leaves);
    for (std::int32_t a = 0; a < taxonomy.class_count(); ++a) {
      matrix.distances(a, row);
      matrix.measures(a, Measure::kWuPalmer, similarity);
      for (std::int32_t b = 0; b < taxonomy.class_count(); ++b) {
        const auto at = static_cast<std::size_t>(b);
        EXPECT_EQ(row[at], shortest[taxonomy.leaf(a)][taxonomy.leaf(b)]) << seed;
        EXPECT_EQ(static_cast<std::int32_t>(distance(taxonomy, taxonomy.leaf(a), taxonomy.leaf(b))), row[at]);
        EXPECT_DOUBLE_EQ(similarity[at],
                         measure(taxonomy, Measure::kWuPalmer, taxonomy.leaf(a), taxonomy.leaf(b)));
      }
    }
  }
}

}  // namespace
}  // namespace procsim::taxonomy
