#include "data/sets/alike_classes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace procsim {
namespace {

Dataset labelled(const std::vector<std::string>& names, const std::vector<std::int32_t>& labels) {
  Dataset dataset;
  for (const auto& name : names) dataset.classes.push_back({"p " + name, name, {}});
  for (const auto label : labels) {
    Sample sample;
    sample.id = static_cast<std::int64_t>(dataset.samples.size());
    sample.label = label;
    dataset.samples.push_back(sample);
  }
  return dataset;
}

TEST(AlikeClasses, AreFoundWithTheirCounts) {
  const auto groups = find_alike_classes(
      labelled({"IBIS", "Tern", "Ibis", "ibis", "white_ibis", "White Ibis"}, {0, 2, 2, 2, 3, 1, 4, 5, 5}));
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].in_words(), "Ibis (3), IBIS (1), ibis (1)");
  EXPECT_EQ(groups[1].in_words(), "White Ibis (2), white_ibis (1)");
  EXPECT_TRUE(find_alike_classes(labelled({"Ibis", "Tern"}, {0, 1})).empty());
}

TEST(AlikeClasses, OfOneNameAreShownAsPublished) {
  EXPECT_EQ(find_alike_classes(labelled({"Crane", "Crane"}, {0, 1, 1}))[0].in_words(),
            "p Crane (2), p Crane (1)");
}

TEST(AlikeClasses, AreMergedIntoTheSpellingOfMost) {
  auto dataset = labelled({"IBIS", "Tern", "Ibis", "Auk"}, {0, 2, 2, 1, kUnlabelled, 3});
  merge_classes(dataset, find_alike_classes(dataset));
  ASSERT_EQ(dataset.classes.size(), 3U);
  EXPECT_EQ(dataset.classes[0].name, "Tern");
  EXPECT_EQ(dataset.classes[1].name, "Ibis");
  EXPECT_EQ(dataset.classes[2].name, "Auk");
  std::vector<std::int32_t> labels;
  for (const auto& sample : dataset.samples) labels.push_back(sample.label);
  EXPECT_THAT(labels, testing::ElementsAre(1, 1, 1, 0, kUnlabelled, 2));
}

}  // namespace
}  // namespace procsim
