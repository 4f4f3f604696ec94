// The trees of the benchmarks, with the overrides that ship.
#include <fstream>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/sets/dataset.hpp"
#include "taxonomy/resolve/builder.hpp"
#include "tests/support/test_files.hpp"
#include "tests/taxonomy/real_wordnet.hpp"

namespace procsim::taxonomy {
namespace {

class Shipped : public ::testing::Test {
 protected:
  // Null when the data set is not at hand.
  std::optional<BuiltTaxonomy> build(const std::string& name, const std::string& folder) {
    const auto root = test::shared_data(folder);
    if (!root) return std::nullopt;
    DatasetOptions where;
    where.root = *root;
    const auto dataset = open_dataset(name, where);
    ResolveOptions options;
    options.root = known_root(dataset.kind);
    options.car_names = dataset.kind == "cars196";
    options.overrides.push_back(built_in_overrides(dataset.kind));
    return build_taxonomy(wordnet_, graph_, dataset.name, dataset.classes, options);
  }

  static bool is_below(const Taxonomy& taxonomy, std::string_view published, std::string_view id) {
    const auto wanted = taxonomy.find_node(id);
    if (!wanted) return false;
    for (auto node = taxonomy.parent(taxonomy.leaf(taxonomy.find_class(published))); node;
         node = taxonomy.parent(*node)) {
      if (*node == *wanted) return true;
    }
    return false;
  }

  const WordNet& wordnet_ = real_wordnet();
  HypernymGraph graph_{wordnet_};
};

TEST_F(Shipped, All200BirdsHaveAPlaceAndNoneIsAmbiguous) {
  const auto built = build("cub200", "cub200");
  if (!built) GTEST_SKIP() << "no ../shared/cub200";
  ASSERT_EQ(built->parts.classes.size(), 200U);
  EXPECT_EQ(wordnet_.id(built->resolutions.root), "bird.n.01");
  for (std::size_t i = 0; i < 200; ++i) {
    const auto& entry = built->parts.classes[i];
    EXPECT_NE(entry.how, Resolution::kUnresolved) << entry.name;
    EXPECT_FALSE(built->resolutions.classes[i].ambiguous) << entry.name;
    EXPECT_NE(entry.node, "bird.n.01") << entry.name;
    EXPECT_TRUE(entry.how != Resolution::kOverride || entry.reason.size() > 5) << entry.name;
  }
}

// Families as in the American Ornithological Society's check-list, in WordNet's terms.
TEST_F(Shipped, BirdsAreInTheirFamilies) {
  const auto built = build("cub200", "cub200");
  if (!built) GTEST_SKIP() << "no ../shared/cub200";
  const Taxonomy taxonomy(built->parts);
  const std::map<std::string, std::vector<std::string>> families = {
      {"sparrow.n.01", {"118.House_Sparrow"}},
      {"new_world_sparrow.n.01",
       {"113.Baird_Sparrow", "120.Fox_Sparrow", "124.Le_Conte_Sparrow", "130.Tree_Sparrow",
        "076.Dark_eyed_Junco", "021.Eastern_Towhee"}},
      {wordnet_.id(wordnet_.find("lark%1:05:01::")), {"085.Horned_Lark"}},  // the skylark's family
      {"new_world_flycatcher.n.01",
       {"037.Acadian_Flycatcher", "042.Vermilion_Flycatcher", "103.Sayornis", "077.Tropical_Kingbird",
        "102.Western_Wood_Pewee"}},
      {"new_world_oriole.n.01",
       {"096.Hooded_Oriole", "098.Scott_Oriole", "013.Bobolink", "009.Brewer_Blackbird",
        "049.Boat_tailed_Grackle"}},
      {"new_world_blackbird.n.01",
       {"009.Brewer_Blackbird", "012.Yellow_headed_Blackbird", "026.Bronzed_Cowbird"}},
      {"new_world_warbler.n.01",
       {"099.Ovenbird", "109.American_Redstart", "183.Northern_Waterthrush", "200.Common_Yellowthroat",
        "160.Black_throated_Blue_Warbler", "020.Yellow_breasted_Chat"}},
      {"cuckoo.n.02", {"004.Groove_billed_Ani", "110.Geococcyx", "032.Mangrove_Cuckoo"}},
      {"goatsucker.n.01", {"022.Chuck_will_Widow", "105.Whip_poor_Will", "092.Nighthawk"}},
      {"duck.n.01", {"046.Gadwall", "087.Mallard", "089.Hooded_Merganser"}},
      {"hummingbird.n.01", {"070.Green_Violetear", "067.Anna_Hummingbird"}},
      {"bowerbird.n.01", {"018.Spotted_Catbird"}},
      {"grosbeak.n.01", {"055.Evening_Grosbeak", "056.Pine_Grosbeak"}},
      {"cub200:finch.n.01/cardinals_and_allies_(cardinalidae)",
       {"017.Cardinal", "054.Blue_Grosbeak", "057.Rose_breasted_Grosbeak", "014.Indigo_Bunting",
        "016.Painted_Bunting"}},
      {"auk.n.01", {"106.Horned_Puffin", "006.Least_Auklet", "058.Pigeon_Guillemot"}},
      {"oscine.n.01", {"118.House_Sparrow", "196.House_Wren"}},
      {"starling.n.01", {"134.Cape_Glossy_Starling"}},
      {"corvine_bird.n.01", {"074.Florida_Jay", "093.Clark_Nutcracker", "107.Common_Raven"}},
      {"wren.n.02", {"193.Bewick_Wren", "198.Rock_Wren"}},
      {"swallow.n.03", {"138.Tree_Swallow", "135.Bank_Swallow"}},
      {"shrike.n.01", {"112.Great_Grey_Shrike", "111.Loggerhead_Shrike"}},
  };
  for (const auto& [family, members] : families) {
    for (const auto& member : members)
      EXPECT_TRUE(is_below(taxonomy, member, family)) << member << " in " << family;
  }
  for (const auto* stranger : {"018.Spotted_Catbird", "019.Gray_Catbird"}) {
    EXPECT_NE(is_below(taxonomy, stranger, "bowerbird.n.01"),
              is_below(taxonomy, stranger, "cub200:oscine.n.01/mockingbirds_and_thrashers_(mimidae)"));
  }
  EXPECT_FALSE(is_below(taxonomy, "054.Blue_Grosbeak", "grosbeak.n.01"));
  EXPECT_FALSE(is_below(taxonomy, "118.House_Sparrow", "new_world_sparrow.n.01"));
}

TEST_F(Shipped, All196CarsHaveTypeMakeModelAndYear) {
  const auto built = build("cars196", "cars196");
  if (!built) GTEST_SKIP() << "no ../shared/cars196";
  ASSERT_EQ(built->parts.classes.size(), 196U);
  const Taxonomy taxonomy(built->parts);
  std::map<std::string, int> types;
  std::set<std::string> names;
  for (std::int32_t label = 0; label < taxonomy.class_count(); ++label) {
    const auto& entry = taxonomy.class_at(label);
    EXPECT_NE(entry.how, Resolution::kUnresolved) << entry.name;
    EXPECT_FALSE(entry.reason.empty()) << entry.name;
    std::vector<NodeIndex> up;
    for (auto node = taxonomy.parent(taxonomy.leaf(label)); node; node = taxonomy.parent(*node))
      up.push_back(*node);
    ASSERT_EQ(up.size(), 5U) << entry.name;  // year, model, make, type, car
    EXPECT_EQ(taxonomy.node(up[4]).id, "car.n.01");
    const auto& year = taxonomy.node(up[0]);
    EXPECT_TRUE(entry.published.ends_with(year.id.substr(year.id.rfind('/') + 1))) << entry.name;
    const auto make = taxonomy.node(up[2]).name;  // "Audi sedan"
    const auto type = taxonomy.node(up[3]).name;
    ASSERT_TRUE(make.ends_with(" " + type)) << make;
    EXPECT_TRUE(entry.published.starts_with(make.substr(0, make.size() - type.size()))) << entry.name;
    EXPECT_TRUE(names.insert(year.name).second || taxonomy.classes_below(up[0]).size() > 1) << year.name;
    ++types[taxonomy.node(up[3]).id];
  }
  EXPECT_EQ(types.size(), 9U);
  EXPECT_EQ(types.count("cab.n.03") + types.count("taxi.n.01"), 0U);
  EXPECT_TRUE(is_below(taxonomy, "Ford F-150 Regular Cab 2012", "pickup.n.01"));
  EXPECT_TRUE(is_below(taxonomy, "Chevrolet HHR SS 2010", "beach_wagon.n.01"));
  EXPECT_TRUE(is_below(taxonomy, "Ram C/V Cargo Van Minivan 2012", "minivan.n.01"));
}

TEST_F(Shipped, OnlineProductsHangFromTwelveCategories) {
  const auto built = build("sop", "sop");
  if (!built) GTEST_SKIP() << "no ../shared/sop";
  EXPECT_EQ(built->parts.classes.size(), 22634U);
  std::map<std::string, int> nodes;
  for (const auto& entry : built->parts.classes) {
    EXPECT_EQ(entry.how, Resolution::kCategory);
    ++nodes[entry.node];
  }
  EXPECT_EQ(nodes.size(), 12U);
  EXPECT_EQ(nodes.count("table.n.02"), 1U);
  // Appliances are commodities to WordNet, furniture is instrumentality: artifact is what they share.
  EXPECT_EQ(wordnet_.id(built->resolutions.root), "artifact.n.01");
}

TEST_F(Shipped, ImageNetsThousandWnidsMakeATree) {
  const auto file = test::shared_data("imagenet/wnids.txt");
  if (!file) GTEST_SKIP() << "no ../shared/imagenet";
  std::vector<DatasetClass> classes;
  std::ifstream stream(*file);
  for (std::string wnid; stream >> wnid;) classes.push_back({wnid, wnid, ""});
  ASSERT_EQ(classes.size(), 1000U);
  const auto built = build_taxonomy(wordnet_, graph_, "wnids", classes, {});
  const Taxonomy taxonomy(built.parts);
  EXPECT_EQ(taxonomy.class_count(), 1000);
  EXPECT_EQ(taxonomy.class_at(0).name, "tench");
  EXPECT_TRUE(is_below(taxonomy, "n02085620", "dog.n.01"));  // chihuahua
  std::set<std::string> names;
  for (const auto& entry : taxonomy.classes()) names.insert(entry.name);
  EXPECT_EQ(names.size(), 1000U);
}

}  // namespace
}  // namespace procsim::taxonomy
