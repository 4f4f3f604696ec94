#include "curate/evidence/kinship.hpp"

#include <gtest/gtest.h>

#include "tests/curate/scored_birds.hpp"

namespace procsim::curate {
namespace {

ClassFamilies families() { return {test::bird_taxonomy(), test::bird_classes()}; }

TEST(Kinship, TellsSiblingsRelativesAndStrangersApart) {
  const auto tree = families();
  EXPECT_EQ(tree.relation(0, 1).kinship, Kinship::kSiblings);
  EXPECT_EQ(tree.relation(0, 1).distance, 2);
  EXPECT_EQ(tree.name(tree.relation(0, 1).common), "gull");
  EXPECT_EQ(tree.relation(0, 2).kinship, Kinship::kRelatives);
  EXPECT_EQ(tree.name(tree.relation(0, 2).common), "seabird");
  EXPECT_EQ(tree.relation(2, 3).kinship, Kinship::kStrangers);
  EXPECT_EQ(tree.relation(2, 2).kinship, Kinship::kSame);
  EXPECT_EQ(tree.relation(0, kUnlabelled).kinship, Kinship::kUnknown);
  EXPECT_EQ(ClassFamilies().relation(0, 1).kinship, Kinship::kUnknown);
}

TEST(Kinship, ClassesTheTaxonomyDoesNotKnowStayUnknown) {
  auto classes = test::bird_classes();
  classes[1] = {"Unheard-of Bird", "", ""};
  const ClassFamilies tree(test::bird_taxonomy(), classes);
  EXPECT_EQ(tree.relation(0, 1).kinship, Kinship::kUnknown);
  // With one gull left, "gull" tells nothing apart: gull and tern stand side by side below seabird.
  EXPECT_EQ(tree.relation(0, 2).kinship, Kinship::kSiblings);
  EXPECT_EQ(tree.name(tree.relation(0, 2).common), "seabird");
}

TEST(Kinship, OnlyTheRootInCommonIsAGrossErrorAndAFlatTreeSaysNothing) {
  auto classes = test::bird_classes();
  classes.erase(classes.begin() + 3);  // one sparrow left: it and the owl hang directly below bird
  const ClassFamilies tree(test::bird_taxonomy(), classes);
  EXPECT_EQ(tree.relation(3, 4).kinship, Kinship::kStrangers);
  EXPECT_EQ(tree.relation(3, 4).distance, 2);
  const ClassFamilies flat(test::bird_taxonomy(), {classes[2], classes[3], classes[4]});
  EXPECT_EQ(flat.relation(0, 2).kinship, Kinship::kUnknown);
}

TEST(Kinship, NodesAreFoundByTheTaxonomysId) {
  const auto tree = families();
  EXPECT_EQ(tree.name(tree.find("gull.n.01").value()), "gull");
  EXPECT_FALSE(tree.find("dodo.n.01"));
  EXPECT_FALSE(tree.find("")) << "leaves have no id";
}

}  // namespace
}  // namespace procsim::curate
