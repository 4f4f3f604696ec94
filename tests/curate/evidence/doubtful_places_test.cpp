#include "curate/evidence/doubtful_places.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/curate/scored_birds.hpp"

namespace procsim::curate {
namespace {

using test::scored;

// The two gulls are siblings, and so are the two sparrows: chance would make each a sibling in one of five.
ScoreTable taken_for(std::int32_t herring_gulls, std::int32_t song_sparrows, int each) {
  std::vector<ScoreRow> rows;
  for (int i = 0; i < each; ++i) {
    rows.push_back(scored(2 * i, 0, herring_gulls, 0.1));
    rows.push_back(scored(2 * i + 1, 3, song_sparrows, 0.1));
  }
  return test::bird_table(rows);
}

TEST(DoubtfulPlaces, AreThoseThatLookNothingLikeTheirSiblings) {
  const ClassFamilies families(test::bird_taxonomy(), test::bird_classes());
  const auto found = find_doubtful_places(taken_for(5, 4, 40), families);  // expected 8, found none: p = e⁻⁸
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].label, 0);
  EXPECT_EQ(found[0].parent, "gull");
  EXPECT_TRUE(found[0].looks_alien);
  EXPECT_TRUE(find_doubtful_places(taken_for(5, 4, 20), families).empty()) << "expected 4: e⁻⁴ is no rarity";
}

TEST(DoubtfulPlaces, AreThoseOfDoubtfulNames) {
  auto parts = test::bird_taxonomy().parts();
  parts.classes[4].doubt = "here: a bird; or a fish";
  parts.classes[4].doubt_level = 0.3;
  parts.classes[5].doubt = "here: a bird; or a person";
  parts.classes[5].doubt_level = 0.4;
  const ClassFamilies families(taxonomy::Taxonomy(parts), test::bird_classes());
  const auto found = find_doubtful_places(taken_for(5, 4, 40), families);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_TRUE(found[0].looks_alien);
  EXPECT_EQ(found[1].doubt, "here: a bird; or a person");
  EXPECT_FALSE(found[1].looks_alien);
  EXPECT_EQ(found[1].level, 0.4);
  EXPECT_EQ(found[2].label, 4) << "the most doubtful first";
  EXPECT_TRUE(find_doubtful_places(taken_for(5, 4, 40), {}).empty()) << "without a tree";
}

}  // namespace
}  // namespace procsim::curate
