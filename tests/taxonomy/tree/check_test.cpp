#include "taxonomy/tree/check.hpp"

#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "taxonomy/tree/diff.hpp"
#include "taxonomy/tree/display_tree.hpp"
#include "taxonomy/tree/places.hpp"
#include "taxonomy/tree/queries.hpp"
#include "taxonomy/tree/stats.hpp"
#include "tests/taxonomy/sample_trees.hpp"

namespace procsim::taxonomy {
namespace {

using test::birds;
using test::make_parts;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::map<std::string, std::vector<std::string>> subjects(const std::vector<Finding>& findings) {
  std::map<std::string, std::vector<std::string>> result;
  for (const auto& finding : findings) {
    auto& list = result[finding.kind];
    list.insert(list.end(), finding.subjects.begin(), finding.subjects.end());
  }
  return result;
}

TEST(FindDefects, FindsNothingInASoundTaxonomy) { EXPECT_THAT(find_defects(birds().parts()), IsEmpty()); }

TEST(FindDefects, FindsEveryCycleAndOrphanAtOnce) {
  auto parts = make_parts({{"a", "top"},
                           {"b", "c"},
                           {"c", "b"},  // a round trip
                           {"d", "d"},  // itself
                           {"e", "other"},
                           {"f", "e"}},  // a second tree
                          {{"x", "a"}, {"y", "nowhere"}});
  parts.nodes.push_back({"a", "again", "", ""});
  parts.tree_parent.emplace_back(0);
  const auto found = subjects(find_defects(parts));
  EXPECT_THAT(found.at("cycle"), UnorderedElementsAre("b", "c", "d"));
  EXPECT_THAT(found.at("duplicate-id"), ElementsAre("a"));
  EXPECT_THAT(found.at("class-without-node"), ElementsAre("y"));
  // Both trees have three nodes; the first one in the file is taken for the tree.
  EXPECT_THAT(found.at("orphan"), ElementsAre("e", "f", "other"));
}

TEST(FindDefects, SurvivesIndicesThatPointNowhere) {
  auto parts = make_parts({{"a", "top"}}, {});
  parts.edges.push_back({9, 0});
  parts.tree_parent[0] = 99;
  EXPECT_EQ(subjects(find_defects(parts)).count("dangling"), 1u);
  EXPECT_EQ(subjects(find_defects({})).count("empty"), 1u);
  EXPECT_EQ(subjects(find_defects(make_parts({{"a", "b"}, {"b", "a"}}, {}))).count("no-root"), 1u);
}

TEST(FindWarnings, NamesWhatDeservesALook) {
  auto parts = birds().parts();
  parts.classes.push_back({"Ivory Gull", "Ivory Gull II", "bird", Resolution::kUnresolved, "", ""});
  const auto found = subjects(find_warnings(Taxonomy(std::move(parts))));
  EXPECT_THAT(found.at("duplicate-name"), ElementsAre("Ivory Gull"));
  EXPECT_THAT(found.at("unresolved"), ElementsAre("Ivory Gull"));
  EXPECT_THAT(found.at("class-at-inner-node"), ElementsAre("Purple Finch"));
  EXPECT_THAT(found.at("single-class-family"), ElementsAre("Ivory Gull"))
      << "the one that hangs from the root";
  EXPECT_THAT(found.at("empty-branch"), ElementsAre("raptor"));
}

TEST(FindWarnings, NamesDoubtfulPlaces) {
  auto parts = birds().parts();
  parts.classes.front().doubt = "here: a bird; or a machine";
  const auto found = find_warnings(Taxonomy(std::move(parts)));
  const auto doubtful = std::ranges::find(found, "doubtful-place", &Finding::kind);
  ASSERT_NE(doubtful, found.end());
  EXPECT_THAT(doubtful->message, ::testing::HasSubstr("here: a bird; or a machine"));
  EXPECT_EQ(doubtful->subjects.size(), 1U);
}

TEST(FindWarnings, NamesTheMostDoubtfulPlacesFirst) {
  auto parts = birds().parts();
  for (std::size_t i = 0; i < 2; ++i) {
    parts.classes[i].doubt = "here: a bird";
    parts.classes[i].doubt_level = i == 0 ? 0.25 : 0.8;
  }
  const auto second = parts.classes[1].name, first = parts.classes[0].name;
  const auto found = find_warnings(Taxonomy(std::move(parts)));
  const auto doubtful = std::ranges::find(found, "doubtful-place", &Finding::kind);
  ASSERT_NE(doubtful, found.end());
  EXPECT_THAT(doubtful->subjects, ElementsAre(second, first));
  EXPECT_THAT(
      doubtful->message,
      ::testing::HasSubstr("2 places are doubtful, about 1 of them wrong; the most doubtful first: '" +
                           second + "' (80 %)"));
}

TEST(FindWarnings, TellsNodesOfOneNameApartByTheirPlace) {
  auto parts = make_parts({{"sedan", "top"},
                           {"coupe", "top"},
                           {"sedan/audi", "sedan"},
                           {"coupe/audi", "coupe"},
                           {"sedan/bmw", "sedan"}},
                          {{"a", "sedan/audi"},
                           {"b", "sedan/audi"},
                           {"c", "coupe/audi"},
                           {"d", "coupe/audi"},
                           {"e", "sedan/bmw"},
                           {"f", "sedan/bmw"},
                           {"g", "coupe"}});
  for (auto& node : parts.nodes) {
    if (node.id.ends_with("/audi")) node.name = "Audi";
  }
  EXPECT_EQ(subjects(find_warnings(Taxonomy(parts))).count("duplicate-node-name"), 0u);
  for (auto& node : parts.nodes) {
    if (node.id == "sedan/bmw") node.name = "Audi";
  }
  EXPECT_THAT(subjects(find_warnings(Taxonomy(parts))).at("duplicate-node-name"),
              ElementsAre("sedan/audi", "sedan/bmw"));
}

TEST(FindWarnings, LeavesNodesBesideTheTreeAlone) {
  // "pet" has no class in the tree, but dog has it as a second parent: it is part of the graph.
  const Taxonomy taxonomy(make_parts(
      {{"canine", "animal"}, {"dog", "canine"}, {"dog", "pet"}, {"pet", "animal"}, {"fish", "animal"}},
      {{"Poodle", "dog"}, {"Pug", "dog"}, {"Wolf", "canine"}, {"Fox", "canine"}}));
  EXPECT_THAT(subjects(find_warnings(taxonomy)).at("empty-branch"), ElementsAre("fish"));
}

TEST(FindWarnings, SaysWhenNoiseHasNowhereToGo) {
  const Taxonomy pair(make_parts({{"a", "top"}, {"b", "top"}}, {{"x", "a"}, {"y", "b"}, {"z", "b"}}));
  EXPECT_THAT(subjects(find_warnings(pair)).at("single-class-family"), ElementsAre("x"));
  const Taxonomy flat(make_parts({{"a", "top"}}, {{"x", "a"}, {"y", "top"}, {"z", "top"}}));
  EXPECT_EQ(subjects(find_warnings(flat)).count("flat"), 1u);
  const Taxonomy one(make_parts({}, {{"x", "top"}}));
  EXPECT_EQ(subjects(find_warnings(one)).count("single-class"), 1u);
  const Taxonomy none(make_parts({{"a", "top"}}, {}));
  EXPECT_EQ(subjects(find_warnings(none)).count("no-classes"), 1u);
}

TEST(Describe, CountsByHand) {
  const auto stats = describe(birds());
  EXPECT_EQ(stats.classes, 6);
  EXPECT_EQ(stats.nodes, 8);
  EXPECT_EQ(stats.further_edges, 1);
  EXPECT_EQ(stats.groups, 5);  // bird, finch, sparrow, seabird, gull
  EXPECT_DOUBLE_EQ(stats.mean_children, 2.0);
  EXPECT_EQ(stats.deepest, 4u);
  EXPECT_DOUBLE_EQ(stats.mean_depth, (3 + 3 + 4 + 2 + 3 + 3) / 6.0);
  EXPECT_DOUBLE_EQ(stats.mean_siblings, (1 + 1 + 2 + 2 + 1 + 1) / 6.0);
  EXPECT_EQ(stats.lonely, 0);
  ASSERT_EQ(stats.families.size(), 2u);
  EXPECT_EQ(stats.families[0].id, "finch");
  EXPECT_EQ(stats.families[0].classes, 3);
}

TEST(Describe, MeanDistanceEqualsTheMeanOfTheMatrix) {
  const auto taxonomy = birds();
  double sum = 0;
  for (std::int32_t a = 0; a < 6; ++a) {
    for (std::int32_t b = 0; b < a; ++b) sum += distance(taxonomy, taxonomy.leaf(a), taxonomy.leaf(b));
  }
  EXPECT_DOUBLE_EQ(describe(taxonomy).mean_distance, sum / 15);
}

TEST(Compare, ListsEveryKindOfChange) {
  auto parts = birds().parts();
  parts.classes[5].node = "finch";                // House Sparrow moves
  parts.classes[0].how = Resolution::kOverride;   // Heermann Gull resolved differently
  std::swap(parts.classes[1], parts.classes[2]);  // two labels change places
  parts.classes[3] = {"Snowy Owl", "Snowy Owl", "raptor", Resolution::kImported, "", ""};
  const Taxonomy after(std::move(parts));
  const auto diff = compare(birds(), after);
  EXPECT_THAT(diff.classes_added, ElementsAre("Snowy Owl"));
  EXPECT_THAT(diff.classes_removed, ElementsAre("Purple Finch"));
  ASSERT_EQ(diff.moved.size(), 1u);
  EXPECT_EQ(diff.moved[0].subject, "House Sparrow");
  EXPECT_EQ(diff.moved[0].from, "sparrow");
  EXPECT_EQ(diff.moved[0].to, "finch");
  EXPECT_EQ(diff.relabelled.size(), 2u);
  ASSERT_EQ(diff.resolved.size(), 1u);
  EXPECT_EQ(diff.resolved[0].to, "override");
  EXPECT_FALSE(diff.same());
  EXPECT_TRUE(compare(birds(), birds()).same());
}

TEST(Compare, ListsNodesThatCameWentOrMoved) {
  const Taxonomy before(make_parts({{"a", "top"}, {"b", "a"}, {"c", "top"}}, {}));
  const Taxonomy after(make_parts({{"a", "top"}, {"b", "top"}, {"d", "top"}}, {}));
  const auto diff = compare(before, after);
  EXPECT_THAT(diff.nodes_added, ElementsAre("d"));
  EXPECT_THAT(diff.nodes_removed, ElementsAre("c"));
  ASSERT_EQ(diff.reparented.size(), 1u);
  EXPECT_EQ(diff.reparented[0].subject, "b");
  EXPECT_EQ(diff.reparented[0].from, "a");
}

TEST(Families, SplitLargeOnesAndLeaveLoneClassesOut) {
  // a holds 12 of 20 classes in two groups, so the groups are the families; b is one; the rest hang from the
  // root.
  std::vector<std::pair<std::string, std::string>> classes;
  for (int i = 0; i < 20; ++i)
    classes.emplace_back("c" + std::string(1, static_cast<char>('a' + i)), i < 6    ? "a1"
                                                                           : i < 12 ? "a2"
                                                                           : i < 15 ? "b"
                                                                                    : "top");
  const Taxonomy taxonomy(make_parts({{"a", "top"}, {"a1", "a"}, {"a2", "a"}, {"b", "top"}}, classes));
  const auto tree = display_tree(taxonomy, Chains::kCollapse);
  const auto family = families(tree);
  const auto of = [&](std::int32_t label) {
    return family[static_cast<std::size_t>(tree.leaf_of[static_cast<std::size_t>(label)])];
  };
  EXPECT_EQ(of(0), 0);
  EXPECT_EQ(of(6), 1);
  EXPECT_EQ(of(12), 2);
  EXPECT_EQ(of(19), -1);
  EXPECT_EQ(family[0], -1);
}

TEST(FindPlace, KnowsClassesNodesAndLabels) {
  const auto taxonomy = birds();
  EXPECT_EQ(find_place(taxonomy, "House Sparrow"), taxonomy.leaf(5));
  EXPECT_EQ(find_place(taxonomy, "5"), taxonomy.leaf(5));
  EXPECT_EQ(find_place(taxonomy, "gull"), *taxonomy.find_node("gull"));
  EXPECT_THROW(find_place(taxonomy, "gul"), Error);
  const Taxonomy both(make_parts({}, {{"bobolink", "bobolink"}}));
  EXPECT_EQ(find_place(both, "bobolink"), both.leaf(0));
  EXPECT_EQ(find_place(both, "bobolink", LookFirst::kNodes), 0u);
}

}  // namespace
}  // namespace procsim::taxonomy
