#include "curate/report/card.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "curate/report/six_digits.hpp"
#include "tests/curate/scored_birds.hpp"

namespace procsim::curate {
namespace {

using test::bird_table;
using test::scored;
using ::testing::HasSubstr;
using ::testing::Not;

ClassFamilies families() { return {test::bird_taxonomy(), test::bird_classes()}; }

TEST(Card, SaysWhatTheRowSaysAndWhy) {
  auto row = scored(1, 0, 1, 0.9);
  row.duplicates = {2, 99};
  row.near_given = {2};
  const auto card = make_card(bird_table({row, scored(2, 2, 3, 0.2)}), families(), 0);
  EXPECT_EQ(card.id, 1);
  EXPECT_EQ(card.path, "0/1.jpg");
  EXPECT_EQ(card.scores->p, 0.9);
  EXPECT_EQ(card.rivals.at(0).label, 1);
  EXPECT_EQ(card.rivals.at(0).probability, 0.81);
  EXPECT_EQ(card.near_given.at(0).label, 2);
  EXPECT_EQ(card.duplicates.at(1).label, kUnlabelled) << "not among the scored samples";
  EXPECT_EQ(card.relation.kinship, Kinship::kSiblings);
  EXPECT_EQ(card.relation.distance, 2);
  EXPECT_THAT(card.reason(), HasSubstr("sample 2, which is labelled Arctic Tern. Nearly the same image as "
                                       "sample 99, which carries another label."));
  EXPECT_THAT(card.reason(), HasSubstr("The model sees Western Gull with 81 %, Herring Gull with 9.0 %."));
  EXPECT_THAT(card.reason(), HasSubstr("Siblings in the taxonomy, both gull"));
}

// Copies under the same label are nothing to judge.
TEST(Card, ShowsTheDuplicatesUnderAnotherLabelOnly) {
  auto row = scored(1, 0, 1, 0.9);
  row.duplicates = {2, 3};
  const auto card = make_card(bird_table({row, scored(2, 0, 3, 0.2), scored(3, 4, 3, 0.2)}), families(), 0);
  ASSERT_EQ(card.duplicates.size(), 1U);
  EXPECT_EQ(card.duplicates[0].label, 4);
  EXPECT_THAT(card.reason(), Not(HasSubstr("sample 2")));
}

TEST(Card, SaysWhereAnImageLooksLikeNoClass) {
  auto row = scored(1, 0, 1, 0.9);
  EXPECT_FALSE(make_card(bird_table({row}), families(), 0).p_none);
  row.p_none = 0.75F;
  const auto card = make_card(bird_table({row, scored(2, 0, 3, 0.2)}), families(), 0);
  EXPECT_EQ(card.p_none, 0.75);
  EXPECT_THAT(card.reason(), HasSubstr("Looks like none of the classes (75 %)."));
  row.p_none = 0.25F;
  EXPECT_THAT(make_card(bird_table({row}), families(), 0).reason(), Not(HasSubstr("none of the classes")));
}

TEST(Card, NamesAGrossError) {
  const auto table = bird_table({scored(2, 2, 3, 0.2)});
  EXPECT_THAT(make_card(table, families(), 0).reason(), HasSubstr("a gross error"));
  EXPECT_THAT(make_card(table, {}, 0).reason(), Not(HasSubstr("taxonomy")));
}

// What the tree doubts is not said as a fact.
TEST(Card, HedgesWhatIsSaidOfDoubtfulPlaces) {
  auto parts = test::bird_taxonomy().parts();
  parts.classes[1].doubt = "here: a bird; or a person";
  parts.classes[5].doubt = "here: a bird; or a fish";
  const ClassFamilies doubted(taxonomy::Taxonomy(parts), test::bird_classes());
  const auto reason = [&](std::int32_t given, std::int32_t suggested) {
    return make_card(bird_table({scored(1, given, suggested, 0.9)}), doubted, 0).reason();
  };
  EXPECT_THAT(reason(0, 1), HasSubstr("Perhaps siblings in the taxonomy, both gull, but the place of Western "
                                      "Gull is doubtful."));
  EXPECT_THAT(reason(0, 1), Not(HasSubstr("easily confused")));
  EXPECT_THAT(reason(1, 2), HasSubstr("Perhaps relatives in the taxonomy, both seabird"));
  EXPECT_THAT(reason(1, 5), HasSubstr("the places of Western Gull and Snowy Owl are doubtful"));
  EXPECT_THAT(reason(1, 5), Not(HasSubstr("gross error")));
  EXPECT_THAT(reason(0, 2), HasSubstr("Relatives in the taxonomy, both seabird (3 steps apart)."));
}

// A tree of one level, and classes that hang from the root because nobody knows them.
TEST(Card, SaysNothingOfKinshipWhereTheTreeDoesNot) {
  auto parts = test::bird_taxonomy().parts();
  for (auto& item : parts.classes) item.node = "bird.n.01";
  parts.nodes.resize(1);
  parts.tree_parent.resize(1);
  parts.edges.clear();
  const ClassFamilies flat(taxonomy::Taxonomy(parts), test::bird_classes());
  EXPECT_THAT(make_card(bird_table({scored(1, 0, 1, 0.9)}), flat, 0).reason(), Not(HasSubstr("taxonomy")));
  parts = test::bird_taxonomy().parts();
  parts.classes[1].how = taxonomy::Resolution::kUnresolved;
  const ClassFamilies unplaced(taxonomy::Taxonomy(parts), test::bird_classes());
  EXPECT_THAT(make_card(bird_table({scored(1, 0, 1, 0.9)}), unplaced, 0).reason(),
              Not(HasSubstr("taxonomy")));
}

TEST(Card, SpeaksOfATrainingOnlyWhereThereWasOne) {
  auto row = scored(1, 0, 1, 0.9);
  row.confidence = 0.08F;
  const auto reason = [&](const nlohmann::ordered_json& embeddings) {
    auto info = test::bird_info();
    info.provenance.embeddings = embeddings;
    ScoreTable table(info);
    table.append(row);
    table.finish();
    return make_card(table, families(), 0).reason();
  };
  EXPECT_THAT(reason({{"from", "run"}, {"memory", "in training"}}),
              HasSubstr("Training trusted it little: confidence 0.08"));
  EXPECT_THAT(reason({{"from", "file"}}), Not(HasSubstr("Training")));
  EXPECT_THAT(reason(nullptr), Not(HasSubstr("Training")));
}

TEST(SixDigits, AreAllThatIsKept) {
  EXPECT_EQ(six_digits(0.123456789), 0.123457);
  EXPECT_EQ(six_digits(-123456.789), -123457);
  EXPECT_EQ(six_digits(0), 0);
  EXPECT_EQ(six_digits(std::numeric_limits<double>::quiet_NaN()), 0);
}

}  // namespace
}  // namespace procsim::curate
