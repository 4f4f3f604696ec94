#include "taxonomy/tree/taxonomy.hpp"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/taxonomy/sample_trees.hpp"

namespace procsim::taxonomy {
namespace {

using test::birds;
using test::make_parts;
using testing::ElementsAre;
using testing::HasSubstr;

std::string error_of(TaxonomyParts parts) {
  try {
    Taxonomy taxonomy(std::move(parts));
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::vector<std::string> names(const Taxonomy& taxonomy, std::span<const NodeIndex> nodes) {
  std::vector<std::string> result;
  for (const auto node : nodes) result.emplace_back(taxonomy.display_name(node));
  return result;
}

TEST(Taxonomy, OrdersNodesByIdAndChildrenCanonically) {
  const auto taxonomy = birds();
  std::vector<std::string> ids;
  for (NodeIndex i = 0; i < taxonomy.node_count(); ++i) ids.push_back(taxonomy.node(i).id);
  EXPECT_THAT(ids, ElementsAre("auk", "auklet", "bird", "finch", "gull", "raptor", "seabird", "sparrow"));
  EXPECT_THAT(names(taxonomy, taxonomy.children(taxonomy.root())), ElementsAre("finch", "raptor", "seabird"));
  EXPECT_THAT(names(taxonomy, taxonomy.children(*taxonomy.find_node("finch"))),
              ElementsAre("sparrow", "Purple Finch"));
  EXPECT_THAT(names(taxonomy, taxonomy.children(*taxonomy.find_node("gull"))),
              ElementsAre("Heermann Gull", "Ivory Gull"));
}

TEST(Taxonomy, KeepsAllParentsInTheGraphAndOneInTheTree) {
  const auto taxonomy = birds();
  const auto auk = *taxonomy.find_node("auk");
  EXPECT_THAT(names(taxonomy, taxonomy.parents(auk)), ElementsAre("finch", "seabird"));
  EXPECT_EQ(taxonomy.display_name(*taxonomy.parent(auk)), "seabird");
  EXPECT_EQ(taxonomy.parent(taxonomy.root()), std::nullopt);
  EXPECT_TRUE(taxonomy.parents(taxonomy.root()).empty());
}

TEST(Taxonomy, CountsDepthInEdgesOfTheFullTree) {
  const auto taxonomy = birds();
  EXPECT_EQ(taxonomy.depth(taxonomy.root()), 0u);
  EXPECT_EQ(taxonomy.depth(*taxonomy.find_node("auklet")), 3u);
  EXPECT_EQ(taxonomy.depth(taxonomy.leaf(2)), 4u);  // Crested Auklet
  EXPECT_EQ(taxonomy.depth(taxonomy.leaf(3)), 2u);  // Purple Finch, directly below finch
}

TEST(Taxonomy, ListsClassesBelowANodeInLabelOrder) {
  const auto taxonomy = birds();
  EXPECT_THAT(taxonomy.classes_below(taxonomy.root()), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(taxonomy.classes_below(*taxonomy.find_node("finch")), ElementsAre(3, 4, 5));
  EXPECT_THAT(taxonomy.classes_below(*taxonomy.find_node("seabird")), ElementsAre(0, 1, 2));
  EXPECT_THAT(taxonomy.classes_below(*taxonomy.find_node("raptor")), ElementsAre());
  EXPECT_THAT(taxonomy.classes_below(taxonomy.leaf(4)), ElementsAre(4));
}

TEST(Taxonomy, FindsClassesByNamePublishedNameAndLabel) {
  auto parts = make_parts({}, {{"House Sparrow", "bird"}, {"Fox Sparrow", "bird"}, {"0", "bird"}});
  parts.classes[0].published = "118.House_Sparrow";
  const Taxonomy taxonomy(std::move(parts));
  EXPECT_EQ(taxonomy.find_class("House Sparrow"), 0);
  EXPECT_EQ(taxonomy.find_class("118.House_Sparrow"), 0);
  EXPECT_EQ(taxonomy.find_class("1"), 1);
  EXPECT_EQ(taxonomy.find_class("0"), 2) << "a name goes before a label";
}

TEST(Taxonomy, SuggestsTheNearestClassForAnUnknownName) {
  const auto taxonomy = birds();
  try {
    taxonomy.find_class("Hause Sparow");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "unknown class 'Hause Sparow'; did you mean 'House Sparrow'?");
  }
  EXPECT_THROW(taxonomy.find_class("6"), Error);
  EXPECT_THROW(taxonomy.find_class("-1"), Error);
  EXPECT_THROW(taxonomy.find_class("99999999999999999999"), Error);
  EXPECT_THROW(taxonomy.find_class(""), Error);
}

TEST(Taxonomy, AsksForALabelWhereTwoClassesShareAName) {
  auto parts = make_parts({}, {{"crane", "thing"}, {"crane", "thing"}});
  parts.classes[0].published = "crane (bird)";
  parts.classes[1].published = "crane (machine)";
  const Taxonomy taxonomy(std::move(parts));
  EXPECT_THROW(taxonomy.find_class("crane"), Error);
  EXPECT_EQ(taxonomy.find_class("crane (machine)"), 1);
  EXPECT_EQ(taxonomy.find_class("0"), 0);
}

TEST(Taxonomy, NamesTheCycle) {
  const auto message = error_of(make_parts({{"a", "top"}, {"a", "c"}, {"c", "b"}, {"b", "a"}}, {{"x", "a"}}));
  // Which node comes first depends on where the search starts; the round is a → c → b → a.
  EXPECT_THAT(message, testing::AnyOf(HasSubstr("a → c → b → a"), HasSubstr("b → a → c → b"),
                                      HasSubstr("c → b → a → c")));
  EXPECT_THAT(error_of(make_parts({{"a", "a"}}, {})), HasSubstr("a → a"));
}

TEST(Taxonomy, RefusesWhatIsNoTree) {
  EXPECT_THAT(error_of(TaxonomyParts{}), HasSubstr("no nodes"));
  EXPECT_THAT(error_of(make_parts({{"a", "top"}, {"b", "other"}}, {})),
              HasSubstr("two roots, 'other' and 'top'"));
  EXPECT_THAT(error_of(make_parts({{"a", "top"}}, {{"x", "nowhere"}})), HasSubstr("hangs from 'nowhere'"));

  auto twice = make_parts({{"a", "top"}, {"b", "top"}}, {});
  twice.nodes[2].id = "a";
  EXPECT_THAT(error_of(twice), HasSubstr("two nodes have the id 'a'"));

  auto no_edge = make_parts({{"a", "top"}, {"b", "top"}}, {});
  no_edge.tree_parent[2] = 0;
  EXPECT_THAT(error_of(no_edge), HasSubstr("the graph has no such edge"));

  auto outside = make_parts({{"a", "top"}}, {});
  outside.edges.push_back({7, 0});
  EXPECT_THAT(error_of(outside), HasSubstr("does not exist"));
  outside.edges.pop_back();
  outside.tree_parent[0] = 9;
  EXPECT_THAT(error_of(outside), HasSubstr("does not exist"));
  outside.tree_parent.pop_back();
  EXPECT_THAT(error_of(outside), HasSubstr("tree parents"));

  auto latin1 = make_parts({}, {{"Brandt\xe9 Cormorant", "bird"}});
  EXPECT_THAT(error_of(latin1), HasSubstr("class 0 is not UTF-8"));
  auto nameless = make_parts({{"", "top"}}, {});
  EXPECT_THAT(error_of(nameless), HasSubstr("has no id"));
}

TEST(Taxonomy, DoesNotDependOnTheOrderOfNodesAndEdges) {
  auto parts = birds().parts();
  const auto expected = birds().digest();
  const auto count = static_cast<NodeIndex>(parts.nodes.size());
  std::ranges::reverse(parts.nodes);
  std::ranges::reverse(parts.tree_parent);
  for (auto& parent : parts.tree_parent) {
    if (parent) parent = count - 1 - *parent;
  }
  for (auto& edge : parts.edges) edge = {count - 1 - edge.child, count - 1 - edge.parent};
  std::ranges::reverse(parts.edges);
  parts.edges.push_back(parts.edges.front());  // an edge given twice is one edge
  EXPECT_EQ(Taxonomy(std::move(parts)).digest(), expected);
}

TEST(Taxonomy, HoldsAChainOfAHundredThousandNodes) {
  TaxonomyParts parts;
  constexpr NodeIndex kLength = 100'000;
  for (NodeIndex i = 0; i < kLength; ++i) {
    parts.nodes.push_back({std::to_string(1'000'000 + i), "", "", ""});
    parts.tree_parent.push_back(i == 0 ? std::nullopt : std::optional(i - 1));
    if (i > 0) parts.edges.push_back({i, i - 1});
  }
  parts.classes.push_back({"deep", "deep", parts.nodes.back().id, Resolution::kImported, "", ""});
  const Taxonomy taxonomy(std::move(parts));
  EXPECT_EQ(taxonomy.depth(taxonomy.leaf(0)), kLength);
  EXPECT_EQ(taxonomy.display_name(0), "1000000") << "a node without a name shows its id";
}

TEST(Resolution, NamesGoBothWays) {
  for (const auto how :
       {Resolution::kFullName, Resolution::kSuffix, Resolution::kHeadNoun, Resolution::kOverride,
        Resolution::kCategory, Resolution::kImported, Resolution::kUnresolved}) {
    EXPECT_EQ(resolution_from_string(to_string(how)), how);
  }
  EXPECT_EQ(to_string(Resolution::kHeadNoun), "head-noun");
  EXPECT_THROW(resolution_from_string("headnoun"), Error);
}

}  // namespace
}  // namespace procsim::taxonomy
