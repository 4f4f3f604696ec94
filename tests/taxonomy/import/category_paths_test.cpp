#include "taxonomy/import/category_paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::taxonomy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(CategoryPaths, AreSplitWhereShopsPartThem) {
  EXPECT_THAT(split_category_path("Home > Kitchen > Pans"), ElementsAre("Home", "Kitchen", "Pans"));
  EXPECT_THAT(split_category_path("Home>Kitchen/Dining > Pans"),
              ElementsAre("Home", "Kitchen/Dining", "Pans"));
  EXPECT_THAT(split_category_path("Home › Kitchen"), ElementsAre("Home", "Kitchen"));
  EXPECT_THAT(split_category_path("Home/Kitchen"), ElementsAre("Home", "Kitchen"));
  EXPECT_THAT(split_category_path("Pans"), ElementsAre("Pans"));
}

std::vector<std::string> classes_of(const std::string& text) {
  const test::TemporaryFolder folder;
  std::vector<std::string> notes, found;
  const auto taxonomy = adopt_tree(read_tree(folder.write("tree.csv", text), TreeFormat::kCsv), "shop", {},
                                   Missing::kRefuse, notes);
  for (const auto& each : taxonomy.classes()) {
    auto line = each.name;
    for (auto node = taxonomy.parent(taxonomy.leaf(taxonomy.find_class(std::to_string(found.size())))); node;
         node = taxonomy.parent(*node))
      line += " < " + std::string(taxonomy.display_name(*node));
    found.push_back(line);
  }
  return found;
}

TEST(CategoryPaths, MakeATreeWhoseEndsAreClasses) {
  const auto found = classes_of(
      "sku,category\n1,Home > Kitchen > Pans\n2,Home > Kitchen > Knives\n3,Home > Garden > Accessories\n"
      "4,Bikes > Accessories\n5,Home > Kitchen > Pans\n");
  ASSERT_EQ(found.size(), 4U);
  EXPECT_THAT(found[0], testing::StartsWith("Pans < "));
  EXPECT_THAT(found[0], HasSubstr("Kitchen < Home"));
  EXPECT_THAT(found[2], HasSubstr("Garden < Home"));
  EXPECT_THAT(found[3], testing::AllOf(testing::StartsWith("Accessories"), HasSubstr("Bikes")));
}

TEST(CategoryPaths, NeedNoColumnNames) { EXPECT_EQ(classes_of("Home > Pans\nHome > Knives\n").size(), 2U); }

TEST(CategoryPaths, PutTheClassesOfAColumnBelowThem) {
  const auto found = classes_of("label;path\nwok;Home > Pans\ngrill;Home > Pans\n");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_THAT(found[0], HasSubstr("wok < "));
  EXPECT_THAT(found[0], HasSubstr("Pans < Home"));
}

TEST(CategoryPaths, EmptyPartsAndOtherTablesAreRefused) {
  EXPECT_THAT(test::error_of([] { classes_of("path\nHome > > Pans\n"); }),
              HasSubstr("line 2: a part of the path"));
  EXPECT_THAT(test::error_of([] { classes_of("a,b\n1,2\n"); }), HasSubstr("child and parent"));
}

}  // namespace
}  // namespace procsim::taxonomy
