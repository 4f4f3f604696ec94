#include "train/language/class_order.hpp"

#include <gtest/gtest.h>

#include "tests/taxonomy/sample_trees.hpp"

namespace procsim::train {
namespace {

using Order = std::vector<std::size_t>;

// Training classes, labelled from 0, that hang from these nodes.
TrainData classes_at(const std::vector<std::string>& nodes) {
  TrainData data;
  for (const auto& node : nodes) {
    data.classes.push_back(static_cast<std::int32_t>(data.classes.size()));
    data.info.classes.push_back({"class", "class", node});
  }
  return data;
}

// By the text of their nodes, the two of a make would stand together.
TEST(ClassOrder, IsThatOfTheTaxonomysLeaves) {
  auto data = classes_at({"cars:audi/a5", "cars:audi/tt", "cars:bmw/3", "cars:bmw/x5"});
  data.taxonomy = std::make_shared<const taxonomy::Taxonomy>(test::make_parts(
      {{"coupe", "car"},
       {"suv", "car"},
       {"cars:audi/a5", "suv"},
       {"cars:audi/tt", "coupe"},
       {"cars:bmw/3", "coupe"},
       {"cars:bmw/x5", "suv"}},
      {{"A5", "cars:audi/a5"}, {"TT", "cars:audi/tt"}, {"3", "cars:bmw/3"}, {"X5", "cars:bmw/x5"}}));
  EXPECT_EQ(taxonomy_order(data), (Order{1, 2, 0, 3}));
}

TEST(ClassOrder, LeavesOutWhatIsNotTrained) {
  auto data = classes_at({"", "", "", "", "", ""});
  data.taxonomy = std::make_shared<const taxonomy::Taxonomy>(test::birds());
  EXPECT_EQ(taxonomy_order(data), (Order{4, 5, 3, 2, 0, 1}));
  data.classes = {0, 1, 2, 3, 5};
  EXPECT_EQ(taxonomy_order(data), (Order{4, 3, 2, 0, 1}));
}

TEST(ClassOrder, WithoutATaxonomyFollowsWordNetOrTheClassesThemselves) {
  EXPECT_EQ(taxonomy_order(classes_at({"", "gull.n.02"})), (Order{0, 1}));
  EXPECT_EQ(taxonomy_order(classes_at({"tern.n.01", "jay.n.02", "gull.n.02", "magpie.n.01"})),
            (Order{2, 0, 1, 3}));
}

}  // namespace
}  // namespace procsim::train
