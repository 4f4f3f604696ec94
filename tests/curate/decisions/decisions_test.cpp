#include "curate/decisions/decisions.hpp"

#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::curate {
namespace {

DecisionRecord record(std::int64_t sample, std::string reviewer, std::string verdict,
                      std::optional<std::int64_t> label = {}, std::string source = "queue") {
  DecisionRecord result;
  result.sample = sample;
  result.reviewer = std::move(reviewer);
  result.verdict = std::move(verdict);
  result.new_label = label;
  result.source = std::move(source);
  return result;
}

DecisionLog log_of(const std::vector<DecisionRecord>& records) { return fold_decisions(records); }

TEST(DecisionLog, ALaterWordReplacesAnEarlierOneAndUndoBringsItBack) {
  auto log = log_of({record(1, "ada", "keep"), record(1, "ada", "relabel", 4)});
  EXPECT_EQ(log.find(1, "ada")->label, 4);
  log.add(record(1, "ada", "undo"));
  EXPECT_EQ(log.find(1, "ada")->verdict, Verdict::kKeep);
  log.add(record(1, "ada", "undo"));
  EXPECT_EQ(log.find(1, "ada"), nullptr);
  log.add(record(1, "ada", "undo"));  // nothing left to take back
  EXPECT_TRUE(log.standing().empty());
  EXPECT_EQ(log.rows(), 5U);
}

TEST(DecisionLog, UndoTouchesOnlyItsOwnReviewerAndSample) {
  const auto log = log_of({record(1, "ada", "keep"), record(1, "bob", "keep"), record(2, "ada", "none"),
                           record(1, "ada", "undo")});
  EXPECT_EQ(log.find(1, "ada"), nullptr);
  EXPECT_NE(log.find(1, "bob"), nullptr);
  EXPECT_NE(log.find(2, "ada"), nullptr);
}

TEST(DecisionLog, PlantedErrorsNeverReachTheLabels) {
  const auto log = log_of({record(1, "ada", "relabel", 3, "planted"), record(1, "bob", "keep")});
  EXPECT_EQ(log.find(1, "ada"), nullptr);
  EXPECT_EQ(log.planted().at(1).at("ada").label, 3);
  EXPECT_EQ(log.standing().at(1).size(), 1U);
}

TEST(DecisionLog, WordsOnALabelSetCountForThoseThatWereMadeFromIt) {
  const test::TemporaryFolder folder;
  auto workspace = Workspace::open_or_create(folder.path());
  const auto decide = [&](const std::string& label_set, DecisionRecord decision) {
    decision.label_set = label_set;
    workspace.append_decision(decision);
  };
  decide("first", record(1, "ada", "keep"));
  decide("first", record(2, "ada", "relabel", 4, "planted"));
  decide("first", record(3, "ada", "keep", {}, "audit"));
  decide("first", record(4, "ada", "none"));
  decide("other", record(5, "ada", "keep"));
  decide("second", record(6, "ada", "keep"));
  decide("first", record(6, "bob", "relabel", 4));
  decide("third", record(1, "ada", "relabel", 2));
  const nlohmann::ordered_json provenance{
      {"operation", "apply"},
      {"parent_digest", "second"},
      {"parent", {{"operation", "apply"}, {"parent_digest", "first"}, {"parent", {{"operation", "base"}}}}}};
  const auto made_from = applied_from(provenance);
  EXPECT_EQ(made_from, (std::vector<std::string>{"second", "first"}));
  EXPECT_TRUE(applied_from({{"operation", "inject"}, {"parent_digest", "first"}}).empty());
  EXPECT_TRUE(applied_from(nullptr).empty());
  const auto log = fold_decisions(decisions_on(workspace, "third", made_from));
  EXPECT_EQ(log.find(1, "ada")->label, 2);
  EXPECT_EQ(log.find(2, "ada"), nullptr);
  EXPECT_TRUE(log.planted().empty());
  EXPECT_NE(log.find(3, "ada"), nullptr);
  EXPECT_TRUE(log.audits().empty());
  EXPECT_EQ(log.find(4, "ada")->verdict, Verdict::kKeep);
  EXPECT_EQ(log.find(5, "ada"), nullptr);
  EXPECT_EQ(log.standing().at(6).size(), 2U);
  EXPECT_EQ(fold_decisions(decisions_on(workspace, "third", {})).standing().size(), 1U);
}

TEST(Settle, NeedsAsManyEqualVotesAsAskedAndNoTie) {
  const auto log =
      log_of({record(1, "ada", "relabel", 4), record(1, "bob", "relabel", 4), record(1, "cy", "keep"),
              record(2, "ada", "relabel", 4), record(2, "bob", "relabel", 5), record(3, "ada", "skip")});
  const auto& opinions = log.standing();
  const auto first = settle(opinions.at(1), 0, 2);
  EXPECT_TRUE(first.settled);
  EXPECT_EQ(first.opinion.label, 4);
  EXPECT_EQ(first.votes, 2U);
  EXPECT_EQ(first.reviewers, 3U);
  EXPECT_FALSE(settle(opinions.at(1), 0, 3).settled);
  EXPECT_FALSE(settle(opinions.at(2), 0, 1).settled) << "one vote each is a tie";
  EXPECT_FALSE(settle(opinions.at(3), 0, 1).settled) << "a skip is no vote";
}

TEST(Settle, RelabellingToTheGivenLabelIsKeeping) {
  const auto log = log_of({record(1, "ada", "relabel", 7), record(1, "bob", "keep")});
  const auto outcome = settle(log.standing().at(1), 7, 2);
  EXPECT_TRUE(outcome.settled);
  EXPECT_EQ(outcome.opinion.verdict, Verdict::kKeep);
  const auto alone = log_of({record(1, "ada", "relabel", 7)});
  EXPECT_EQ(settle(alone.standing().at(1), 7, 1).opinion.verdict, Verdict::kKeep);
}

TEST(Verdicts, UnknownWordsAreRefusedWithTheNearest) {
  EXPECT_EQ(verdict_from_string("ambiguous"), Verdict::kAmbiguous);
  EXPECT_EQ(to_string(Verdict::kUndo), "undo");
  try {
    verdict_from_string("relable");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("relabel"), std::string::npos);
  }
}

TEST(HashChain, SaysWhichRowWasTouched) {
  std::vector<DecisionRecord> records;
  for (int i = 0; i < 4; ++i) {
    auto next = record(i, "ada", "keep");
    next.id = i + 1;
    next.previous = records.empty() ? "" : records.back().hash;
    next.hash = decision_hash(next);
    records.push_back(next);
  }
  EXPECT_FALSE(first_broken_link(records));
  auto changed = records;
  changed[2].verdict = "none";
  EXPECT_EQ(first_broken_link(changed), 3);
  auto removed = records;
  removed.erase(removed.begin() + 1);
  EXPECT_EQ(first_broken_link(removed), 3);
  const DecisionsHead head{4, records.back().hash};
  EXPECT_EQ(log_fault(records, head), "");
  EXPECT_NE(log_fault(changed, head).find("decision 3"), std::string::npos);
  EXPECT_NE(log_fault(std::span(records).first(3), head).find("has 3 decisions, but 4"), std::string::npos);
  EXPECT_NE(log_fault({}, head), "");
  EXPECT_EQ(log_fault({}, {}), "");
}

TEST(ReviewerNames, AreShortAndCommandNoTerminal) {
  EXPECT_TRUE(is_reviewer_name("Ada Lovelace"));
  EXPECT_TRUE(is_reviewer_name("愛"));
  for (const std::string& name : {std::string(), std::string(81, 'a'), std::string("a\nb"),
                                  std::string("\x1b[2J"), std::string("a\0b", 3), std::string("\xff")})
    EXPECT_FALSE(is_reviewer_name(name)) << name;
}

TEST(Times, AreThoseOfIso8601) {
  for (const auto* text :
       {"2026-01-31", "2026-01-31T12:00:00", "2026-01-31 12:00:00Z", "2026-01-31T12:00:00.123456Z",
        "2026-01-31T12:00:00+02:00", "2026-01-31T12:00:00-0230"})
    EXPECT_TRUE(is_time(text)) << text;
  for (const auto* text : {"", "yesterday", "2026-1-31", "2026-01-31T12:00", "2026-01-31T12:00:00.Z",
                           "2026-01-31T12:00:00\n4\tada", "2026-01-31T12:00:00+02:0x", "2026-01-31x"})
    EXPECT_FALSE(is_time(text)) << text;
}

}  // namespace
}  // namespace procsim::curate
