#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "curate/report/card.hpp"

namespace procsim::curate {
namespace {

Card full_card() {
  Card card;
  card.id = 7;
  card.given = 0;
  card.suggested = 1;
  card.path = "a/7.jpg";
  card.scores = {0.5, 1.5, 0.25, 2.5, 3.5, 0.125};
  card.rivals = {{1, 0.75}};
  card.near_given = {{8, 0}};
  card.near_suggested = {{9, 1}};
  card.duplicates = {{10, kUnlabelled}};
  card.relation = {Kinship::kSiblings, 2, 4};
  card.why = {"One.", "Two."};
  return card;
}

TEST(CardJson, IsWhatThePageReads) {
  EXPECT_EQ(to_json(full_card()).dump(),
            R"({"id":7,"path":"a/7.jpg","given":0,"suggested":1,"p":0.5,"suspicion":1.5,"p_given":0.25,)"
            R"("margin":2.5,"proxy_loss":3.5,"confidence":0.125,"rivals":[[1,0.75]],)"
            R"("near_given":[{"id":8,"label":0}],"near_suggested":[{"id":9,"label":1}],)"
            R"("duplicates":[{"id":10,"label":-1}],"kinship":"siblings","distance":2,"common":4,)"
            R"("why":["One.","Two."]})");
}

TEST(CardJson, OfABlindCardTellsNothing) {
  Card card;
  card.id = 7;
  card.given = 0;
  card.suggested = 1;
  card.ticket = "t";
  EXPECT_EQ(to_json(card).dump(),
            R"({"id":7,"given":0,"suggested":1,"rivals":[],"near_given":[],"near_suggested":[],)"
            R"("duplicates":[],"kinship":"unknown","why":[],"ticket":"t"})");
}

}  // namespace
}  // namespace procsim::curate
