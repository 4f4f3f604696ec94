#include "taxonomy/resolve/builder.hpp"

#include <fstream>
#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "taxonomy/resolve/car_name.hpp"
#include "tests/support/test_files.hpp"
#include "tests/taxonomy/real_wordnet.hpp"

namespace procsim::taxonomy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class Build : public ::testing::Test {
 protected:
  BuiltTaxonomy build(const std::vector<std::string>& names, const std::string& kind = "test",
                      std::optional<std::string> root = "bird.n.01", std::string_view overrides = "") {
    std::vector<DatasetClass> classes;
    for (const auto& name : names) classes.push_back({name, name, ""});
    ResolveOptions options;
    options.root = known_root(kind) ? known_root(kind) : std::move(root);
    options.car_names = kind == "cars196";
    if (!overrides.empty()) options.overrides.push_back(parse_overrides(overrides, "test.tsv"));
    return build_taxonomy(wordnet_, graph_, kind, classes, options);
  }

  // Ids from a class's node up to the root.
  static std::vector<std::string> way_up(const Taxonomy& taxonomy, std::int32_t label) {
    std::vector<std::string> ids;
    for (auto node = taxonomy.parent(taxonomy.leaf(label)); node; node = taxonomy.parent(*node)) {
      ids.push_back(taxonomy.node(*node).id);
    }
    return ids;
  }

  const WordNet& wordnet_ = real_wordnet();
  HypernymGraph graph_{wordnet_};
};

TEST_F(Build, LaysTheFirstPathOfTheSearchAsTheTree) {
  const Taxonomy taxonomy(build({"House Sparrow", "Herring Gull"}).parts);
  EXPECT_THAT(way_up(taxonomy, 0),
              ElementsAre("english_sparrow.n.01", "sparrow.n.01", "passerine.n.01", "bird.n.01"));
  for (std::int32_t label = 0; label < taxonomy.class_count(); ++label) {
    std::vector<std::string> path;
    const auto node = wordnet_.find(taxonomy.class_at(label).node);
    const auto found = graph_.path_to(node, wordnet_.find("bird.n.01"));
    ASSERT_TRUE(found);
    for (const auto synset : *found) path.push_back(wordnet_.id(synset));
    EXPECT_EQ(way_up(taxonomy, label), path);
  }
}

TEST_F(Build, KeepsAllHypernymsInTheGraph) {
  const Taxonomy taxonomy(build({"dog", "cat"}, "test", "animal.n.01").parts);
  const auto dog = taxonomy.find_node("dog.n.01").value();
  ASSERT_EQ(taxonomy.parents(dog).size(), 2U);
  EXPECT_EQ(taxonomy.node(*taxonomy.parent(dog)).id, "canine.n.02");
}

TEST_F(Build, ShowsTheUsersNamesNotWordNets) {
  const Taxonomy taxonomy(build({"ewer", "barrel", "n01440764"}, "test", "entity.n.01").parts);
  EXPECT_EQ(taxonomy.class_at(0).node, "pitcher.n.02");
  EXPECT_EQ(taxonomy.display_name(taxonomy.leaf(0)), "ewer");
  EXPECT_EQ(taxonomy.class_at(2).name, "tench") << "but a number is no name";
}

TEST_F(Build, SaysWhatElseADoubtfulNameMayMean) {
  const Taxonomy taxonomy(build({"anchor", "okapi"}, "test", "entity.n.01").parts);
  EXPECT_THAT(taxonomy.class_at(0).doubt, ::testing::HasSubstr("anchor.n.0"));
  EXPECT_EQ(taxonomy.class_at(1).doubt, "");
  const auto back = Taxonomy::from_json(taxonomy.to_json(), "test");
  EXPECT_EQ(back.class_at(0).doubt, taxonomy.class_at(0).doubt);
  EXPECT_NEAR(back.class_at(0).doubt_level, taxonomy.class_at(0).doubt_level, 0.005);
  EXPECT_GT(back.class_at(0).doubt_level, 0.2);
  EXPECT_EQ(back.class_at(1).doubt_level, 0);
  EXPECT_EQ(back.to_json(), taxonomy.to_json());
}

TEST_F(Build, HangsUnresolvedClassesFromTheRoot) {
  const auto built = build({"Gadwall", "House Sparrow"});
  EXPECT_EQ(built.parts.classes[0].node, "bird.n.01");
  EXPECT_EQ(built.parts.classes[0].how, Resolution::kUnresolved);
}

TEST_F(Build, GivesEveryClassOfTheSameNameALeaf) {
  const Taxonomy taxonomy(build({"gull", "gull"}).parts);
  EXPECT_EQ(taxonomy.class_count(), 2);
  EXPECT_EQ(taxonomy.children(*taxonomy.find_node("gull.n.02")).size(), 2U);
}

TEST_F(Build, MakesNodesWhereOverridesAskForThem) {
  const Taxonomy taxonomy(build({"Mockingbird", "Gray Catbird", "House Sparrow"}, "test", "bird.n.01",
                                "Mockingbird\toscine%1:05:00:: / mimids / mockingbird%1:05:00::\tr\n"
                                "Gray Catbird\toscine%1:05:00:: / mimids\tr\n")
                              .parts);
  EXPECT_THAT(way_up(taxonomy, 0), ElementsAre("mockingbird.n.01", "test:oscine.n.01/mimids", "oscine.n.01",
                                               "passerine.n.01", "bird.n.01"));
  EXPECT_THAT(way_up(taxonomy, 1),
              ElementsAre("test:oscine.n.01/mimids", "oscine.n.01", "passerine.n.01", "bird.n.01"));
  EXPECT_EQ(taxonomy.node(*taxonomy.find_node("test:oscine.n.01/mimids")).name, "mimids");
}

TEST_F(Build, RefusesOverridesThatContradictEachOther) {
  EXPECT_THAT(([&] {
                build({"Mockingbird", "Gray Catbird"}, "test", "bird.n.01",
                      "Mockingbird\toscine%1:05:00:: / a / mockingbird%1:05:00::\tr\n"
                      "Gray Catbird\toscine%1:05:00:: / b / mockingbird%1:05:00::\tr\n");
              }),
              ThrowsMessage<Error>(HasSubstr("mockingbird.n.01 both below")));
  EXPECT_THAT(([&] { build({"gull"}, "test", "bird.n.01", "gull\tgull%1:05:00:: / bird%1:05:00::\tr\n"); }),
              ThrowsMessage<Error>(HasSubstr("hang the root")));
}

TEST_F(Build, CallsSynsetNumbersByTheirNamesAndTellsNamesakesApart) {
  // ImageNet has two cranes.
  const auto built = build({"n02012849", "n03126707", "n01440764"}, "imagenet", std::nullopt);
  EXPECT_EQ(built.parts.classes[0].name, "crane (wading bird)");
  EXPECT_EQ(built.parts.classes[1].name, "crane (lifting device)");
  EXPECT_EQ(built.parts.classes[2].name, "tench");
  EXPECT_EQ(built.parts.classes[2].published, "n01440764");
}

TEST_F(Build, GivesTheSameBytesEveryTime) {
  const std::vector<std::string> names = {"Baird Sparrow", "Song Sparrow", "gull",
                                          "Gadwall",       "Horned Lark",  "dog"};
  const auto one = build(names), two = build(names);
  EXPECT_EQ(Taxonomy(one.parts).to_json(), Taxonomy(two.parts).to_json());
  EXPECT_EQ(resolution_table(wordnet_, one), resolution_table(wordnet_, two));
}

TEST_F(Build, TheTableTellsTheStoryOfEveryClass) {
  const auto table = resolution_table(wordnet_, build({"Ovenbird", "tab\there"}));
  std::istringstream lines(table);
  std::string header, ovenbird, tab;
  std::getline(lines, header);
  std::getline(lines, ovenbird);
  std::getline(lines, tab);
  EXPECT_THAT(header, HasSubstr("class\tpublished\thow\tmatched\tnode\tsynset"));
  EXPECT_THAT(ovenbird, HasSubstr("Ovenbird\tOvenbird\tfull-name\tovenbird\tovenbird.n.01"));
  EXPECT_THAT(ovenbird, HasSubstr("yes\tovenbird%1:05:02::"));
  EXPECT_EQ(std::count(tab.begin(), tab.end(), '\t'), std::count(header.begin(), header.end(), '\t'));
}

TEST_F(Build, GroupsCarsByTypeMakeModelAndYear) {
  const Taxonomy taxonomy(build({"Audi S4 Sedan 2012", "Audi S4 Sedan 2007", "Ford F-150 Regular Cab 2012",
                                 "Chevrolet Express Cargo Van 2007", "Audi 100 Wagon 1994"},
                                "cars196")
                              .parts);
  EXPECT_THAT(way_up(taxonomy, 0),
              ElementsAre("cars196:sedan.n.01/audi/s4/2012", "cars196:sedan.n.01/audi/s4",
                          "cars196:sedan.n.01/audi", "sedan.n.01", "car.n.01"));
  EXPECT_THAT(way_up(taxonomy, 2),
              ElementsAre("cars196:pickup.n.01/ford/f-150/2012", "cars196:pickup.n.01/ford/f-150",
                          "cars196:pickup.n.01/ford", "pickup.n.01", "car.n.01"));
  EXPECT_EQ(taxonomy.node(*taxonomy.find_node("cars196:sedan.n.01/audi/s4/2012")).name, "Audi S4 sedan 2012");
  EXPECT_EQ(taxonomy.node(*taxonomy.find_node("cars196:sedan.n.01/audi")).name, "Audi sedan");
  EXPECT_EQ(way_up(taxonomy, 3)[3], "van.n.05");
  EXPECT_EQ(way_up(taxonomy, 4)[3], "beach_wagon.n.01");
}

}  // namespace
}  // namespace procsim::taxonomy
