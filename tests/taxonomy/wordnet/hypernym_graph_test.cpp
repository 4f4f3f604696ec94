#include "taxonomy/wordnet/hypernym_graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/test_files.hpp"
#include "tests/taxonomy/mini_wordnet.hpp"
#include "tests/taxonomy/real_wordnet.hpp"

namespace procsim::taxonomy {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> path_ids(const WordNet& wordnet, const HypernymGraph& graph, std::string_view from,
                                  std::string_view root) {
  std::vector<std::string> ids;
  const auto path = graph.path_to(wordnet.find(from), wordnet.find(root));
  if (!path) return ids;
  for (const auto synset : *path) ids.push_back(wordnet.id(synset));
  return ids;
}

class Hypernyms : public ::testing::Test {
 protected:
  const WordNet& wordnet_ = real_wordnet();
  HypernymGraph graph_{wordnet_};
};

// wn sparrow -hypen, and the like.
TEST_F(Hypernyms, LeadFromAHouseSparrowToBird) {
  EXPECT_THAT(path_ids(wordnet_, graph_, "english_sparrow.n.01", "bird.n.01"),
              ElementsAre("english_sparrow.n.01", "sparrow.n.01", "passerine.n.01", "bird.n.01"));
}

TEST_F(Hypernyms, OfAnInstanceLeadOn) {
  EXPECT_THAT(path_ids(wordnet_, graph_, "einstein.n.01", "scientist.n.01"),
              ElementsAre("einstein.n.01", "physicist.n.01", "scientist.n.01"));
}

TEST_F(Hypernyms, DoNotLeadOutsideTheRoot) {
  EXPECT_TRUE(path_ids(wordnet_, graph_, "pickup.n.01", "car.n.01").empty());
  EXPECT_TRUE(path_ids(wordnet_, graph_, "van.n.05", "car.n.01").empty());
  EXPECT_TRUE(path_ids(wordnet_, graph_, "bird.n.01", "sparrow.n.01").empty());
  EXPECT_THAT(path_ids(wordnet_, graph_, "bird.n.01", "bird.n.01"), ElementsAre("bird.n.01"));
}

// A dog is a canine and a domestic animal, both below animal.
TEST_F(Hypernyms, AreFollowedInWordNetsOrderAndAllAreAncestors) {
  const auto path = path_ids(wordnet_, graph_, "dog.n.01", "animal.n.01");
  ASSERT_GE(path.size(), 3U);
  EXPECT_EQ(path[1], "canine.n.02");
  const auto ancestors = graph_.ancestors(wordnet_.find("dog.n.01"));
  for (const auto* id : {"dog.n.01", "canine.n.02", "domestic_animal.n.01", "animal.n.01", "entity.n.01"}) {
    EXPECT_TRUE(std::binary_search(ancestors.begin(), ancestors.end(), wordnet_.find(id))) << id;
  }
}

TEST_F(Hypernyms, ReachEntityFromEverywhereInAtMostNineteenSteps) {
  const auto entity = wordnet_.find("entity.n.01");
  int deepest = 0;
  for (SynsetIndex synset = 0; synset < wordnet_.size(); synset += 7) {
    ASSERT_TRUE(graph_.path_to(synset, entity)) << wordnet_.id(synset);
    deepest = std::max(deepest, graph_.depth(synset));
  }
  EXPECT_LE(deepest, 19);
  EXPECT_GT(deepest, 14);
}

// Two ways up that part and meet: the first that reaches the root is taken, a dead end is left again.
TEST(HypernymPath, LeavesDeadEnds) {
  test::TemporaryFolder folder;
  test::write_mini_wordnet(folder.path(), {{{"entity"}, "g", {}},
                                           {{"root"}, "g", {0}},
                                           {{"elsewhere"}, "g", {0}},
                                           {{"first"}, "g", {2}},
                                           {{"second"}, "g", {1}},
                                           {{"third"}, "g", {1}},
                                           {{"leaf"}, "g", {3, 4, 5}}});
  const WordNet wordnet(folder.path());
  const HypernymGraph graph(wordnet);
  EXPECT_THAT(path_ids(wordnet, graph, "leaf.n.01", "root.n.01"),
              ElementsAre("leaf.n.01", "second.n.01", "root.n.01"));
}

}  // namespace
}  // namespace procsim::taxonomy
