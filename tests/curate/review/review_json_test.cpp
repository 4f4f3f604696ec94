#include "curate/review/review_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "curate/review/review_error.hpp"

namespace procsim::curate {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

// Words that the page's scripts (curate/web) send and read.
TEST(ReviewJson, ANextCardIsLeftOutWhereThereIsNone) {
  EXPECT_EQ(to_json(NextCard{}).dump(), R"({"left":0})");
  Card card;
  card.id = 7;
  card.ticket = "t";
  const auto json = to_json(NextCard{3, card});
  EXPECT_EQ(json.at("left"), 3);
  EXPECT_EQ(json.at("card").at("id"), 7);
  EXPECT_EQ(json.at("card").at("ticket"), "t");
}

TEST(ReviewJson, ARecordedWordTellsItsIdAndTheProgressOfAll) {
  ReviewProgress progress;
  progress.decided = 1;
  progress.left = 2;
  progress.samples = 3;
  progress.reviewers = 4;
  progress.audited = 5;
  EXPECT_EQ(to_json(RecordedWord{9, progress}).dump(),
            R"({"id":9,"state":{"decided":1,"left":2,"samples":3,"reviewers":4,"audited":5}})");
  progress.noise = NoiseEstimate{.rate = 0.25, .low = 0.1, .high = 0.5, .method = EstimateMethod::kAudit};
  EXPECT_EQ(to_json(RecordedWord{9, progress}).at("state").at("noise").at("method"), "audit");
}

TEST(ReviewJson, AReviewersStateHasLabelsAndNodesWhereTheVerdictHasThem) {
  ReviewerState state;
  state.decisions = {{1, {.verdict = Verdict::kKeep, .label = {}, .node = "", .source = "queue"}},
                     {2, {.verdict = Verdict::kRelabel, .label = 4, .node = "", .source = "queue"}},
                     {3, {.verdict = Verdict::kParent, .label = {}, .node = "gull.n.01", .source = "audit"}}};
  state.history = {3, 1, 2};
  state.last = 12;
  auto json = to_json(state);
  json.erase("state");
  EXPECT_EQ(
      json.dump(),
      R"({"decisions":[{"sample":1,"verdict":"keep"},{"sample":2,"verdict":"relabel","label":4},{"sample":3,"verdict":"parent","node":"gull.n.01"}],"history":[3,1,2],"last":12})");
  EXPECT_EQ(to_json(ReviewerState{}).at("decisions").dump(), "[]");
}

TEST(ReviewJson, AWordIsReadWithAllItsFields) {
  const auto word = reviewer_word(Json::parse(
      R"({"reviewer":"ada","sample":-3,"verdict":"relabel","label":2,"ticket":"t","key":"k","after":5})"));
  EXPECT_EQ(word.reviewer, "ada");
  EXPECT_EQ(word.sample, -3);
  EXPECT_EQ(word.verdict, Verdict::kRelabel);
  EXPECT_EQ(word.label, 2);
  EXPECT_EQ(word.ticket, "t");
  EXPECT_EQ(word.key, "k");
  EXPECT_EQ(word.after, 5);
  EXPECT_EQ(word.node, "");

  const auto parent =
      reviewer_word(Json::parse(R"({"reviewer":"ada","sample":1,"verdict":"parent","node":"n","label":2})"));
  EXPECT_EQ(parent.node, "n");
  EXPECT_FALSE(parent.label) << "of no use to this verdict";
  EXPECT_FALSE(parent.ticket || parent.key || parent.after);
}

TEST(ReviewJson, FieldsThatAreMissingOrOfAnotherTypeAreRefusedByName) {
  const auto refusal = [](const char* text) -> std::string {
    try {
      reviewer_word(Json::parse(text));
    } catch (const ReviewError& error) {
      EXPECT_EQ(error.status(), 400);
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("[]"), "a decision is a JSON object");
  EXPECT_EQ(refusal(R"({"sample":1,"verdict":"keep"})"), "'reviewer' must be text");
  EXPECT_EQ(refusal(R"({"reviewer":"a","verdict":"keep"})"), "'sample' must be a sample id");
  EXPECT_EQ(refusal(R"({"reviewer":"a","sample":"1","verdict":"keep"})"), "'sample' must be a sample id");
  EXPECT_EQ(refusal(R"({"reviewer":"a","sample":1})"), "'verdict' must be text");
  EXPECT_THAT(refusal(R"({"reviewer":"a","sample":1,"verdict":"kepp"})"), HasSubstr("kepp"));
  EXPECT_EQ(refusal(R"({"reviewer":"a","sample":1,"verdict":"parent"})"), "'node' must be text");
  EXPECT_EQ(refusal(R"({"reviewer":"a","sample":1,"verdict":"keep","key":1})"), "'key' must be text");
  EXPECT_EQ(refusal(R"({"reviewer":"a","sample":1,"verdict":"keep","ticket":1})"), "'ticket' must be text");
}

}  // namespace
}  // namespace procsim::curate
