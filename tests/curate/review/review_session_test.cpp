#include "curate/review/review_session.hpp"

#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "curate/review/review_json.hpp"
#include "tests/curate/scored_birds.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::curate {
namespace {

using Json = nlohmann::ordered_json;
using test::scored;

// The session as the page speaks to it.
struct Page {
  ReviewSession session;

  Json next(const std::string& reviewer, std::optional<std::uint64_t> pair = {}) {
    return to_json(session.next(reviewer, pair));
  }
  Json next_audit(const std::string& reviewer) { return to_json(session.next_audit(reviewer)); }
  Json decide(const Json& request) { return to_json(session.decide(reviewer_word(request))); }
  Json state(const std::string& reviewer) { return to_json(session.state(reviewer)); }
  void release(const std::string& reviewer) { session.release(reviewer); }
  Summary summary() { return session.summary(); }
};

class Review : public ::testing::Test {
 protected:
  Review() {
    for (int i = 0; i < 200; ++i) rows_.push_back(scored(i, i % 6, (i + 1) % 6, 0.99 - i * 0.0049));
    table_.emplace(test::bird_table(rows_));
  }

  Page session(ReviewOptions options = {}, std::vector<std::string> made_from = {}) {
    return {ReviewSession(*table_, families_, Workspace::open_or_create(folder_.path()),
                          {"", "digest", "scores", std::move(made_from)}, options, "secret",
                          [this] { return now_; })};
  }

  static Json word(const std::string& reviewer, const Json& card, const std::string& verdict) {
    Json request{{"reviewer", reviewer}, {"sample", card["id"]}, {"verdict", verdict}};
    if (card.contains("ticket")) request["ticket"] = card["ticket"];
    if (verdict == "relabel") request["label"] = card["suggested"];
    return request;
  }

  static int status_of(Page& review, const Json& request) {
    try {
      review.decide(request);
    } catch (const ReviewError& error) {
      return error.status();
    }
    return 200;
  }

  std::vector<DecisionRecord> stored() { return Workspace::open(folder_.path()).decisions("digest"); }

  test::TemporaryFolder folder_;
  std::vector<ScoreRow> rows_;
  std::optional<ScoreTable> table_;
  ClassFamilies families_{test::bird_taxonomy(), test::bird_classes()};
  std::chrono::system_clock::time_point now_{std::chrono::seconds(1'800'000'000)};
};

TEST_F(Review, ServesTheMostSuspectFirstAndTheSameCardUntilItIsDecided) {
  auto review = session();
  const auto first = review.next("ada")["card"];
  EXPECT_EQ(first["id"], 0);
  EXPECT_EQ(review.next("ada")["card"], first);
  review.decide(word("ada", first, "keep"));
  EXPECT_NE(review.next("ada")["card"]["id"], 0);
  EXPECT_EQ(review.next("ada")["left"], 199);
}

TEST_F(Review, WhatWasJudgedInTheLabelsThatTheseWereMadeFromIsNotAskedAgain) {
  DecisionRecord before;
  before.label_set = "before";
  before.sample = 0;
  before.reviewer = "ada";
  before.verdict = "keep";
  before.source = "queue";
  Workspace::open_or_create(folder_.path()).append_decision(before);
  auto review = session({}, {"before"});
  EXPECT_EQ(review.next("bob")["left"], 199);
  EXPECT_NE(review.next("bob")["card"]["id"], 0);
  EXPECT_EQ(session().next("bob")["card"]["id"], 0) << "of labels that were not made from these";
}

TEST_F(Review, TwoReviewersGetDifferentCardsUntilALeaseRunsOut) {
  auto review = session();
  const auto ada = review.next("ada")["card"]["id"], bob = review.next("bob")["card"]["id"];
  EXPECT_NE(ada, bob);
  now_ += std::chrono::hours(1);
  EXPECT_EQ(review.next("cy")["card"]["id"], ada) << "ada has gone home";
}

// Pairs of a likely error and an almost surely right label: while somebody holds the likely one, nobody else
// is asked about the other.
TEST_F(Review, HoldingACardHidesThatCardAndNothingElse) {
  rows_.clear();
  for (int pair = 0; pair < 6; ++pair) {
    rows_.push_back(scored(2 * pair, pair, (pair + 1) % 6, 0.99 - 0.05 * pair));
    rows_.push_back(scored(2 * pair + 1, pair, (pair + 1) % 6, 0.002));
  }
  table_.emplace(test::bird_table(rows_));
  auto review = session();
  EXPECT_EQ(review.next("ada")["card"]["id"], 0);
  for (const int expected : {2, 4, 6, 8, 10}) {
    const auto card = review.next("bob")["card"];
    EXPECT_EQ(card["id"], expected);
    review.decide(word("bob", card, "relabel"));
  }
}

TEST_F(Review, ACardThatIsGivenBackGoesToOthers) {
  auto review = session();
  const auto held = review.next("adda")["card"]["id"];
  review.release("adda");  // a slip of the pen
  EXPECT_EQ(review.next("ada")["card"]["id"], held);
  review.release("nobody");
  EXPECT_NE(review.next("bob")["card"]["id"], held);
}

TEST_F(Review, WhoAsksForAnotherPairGivesTheCardBack) {
  auto review = session();
  const auto held = review.next("ada")["card"]["id"];
  EXPECT_EQ(review.next("ada", pair_key(3, 4))["card"]["given"], 3);
  EXPECT_EQ(review.next("bob")["card"]["id"], held);
}

TEST_F(Review, AnAuditCannotBeExchangedByGivingItBack) {
  ReviewOptions options;
  options.audit_rate = 0.99;
  auto review = session(options);
  const auto card = review.next("ada")["card"]["id"];
  review.release("ada");
  EXPECT_EQ(review.next("ada")["card"]["id"], card);
}

TEST_F(Review, EverybodySeesEverySampleWhenSeveralReviewsAreWanted) {
  ReviewOptions options;
  options.reviews = 2;
  auto review = session(options);
  const auto ada = review.next("ada")["card"];
  const auto bob = review.next("bob")["card"];
  EXPECT_EQ(ada["id"], bob["id"]);
  review.decide(word("ada", ada, "keep"));
  EXPECT_EQ(review.next("ada")["left"], 200) << "one of two";
  review.decide(word("bob", bob, "keep"));
  EXPECT_EQ(review.next("ada")["left"], 199);
}

TEST_F(Review, DecisionsSurviveAndReviewResumes) {
  std::int64_t next = 0;
  {
    auto review = session();
    review.decide(word("ada", review.next("ada")["card"], "relabel"));
    review.decide(word("ada", review.next("ada")["card"], "keep"));
    next = review.next("ada")["card"]["id"].get<std::int64_t>();
  }
  auto review = session();
  const auto state = review.state("ada");
  EXPECT_EQ(state["decisions"].size(), 2U);
  EXPECT_EQ(state["state"]["decided"], 2);
  EXPECT_EQ(review.next("ada")["card"]["id"], next);
  EXPECT_FALSE(first_broken_link(stored()));
}

TEST_F(Review, UndoBringsTheCardBack) {
  auto review = session();
  const auto card = review.next("ada")["card"];
  review.decide(word("ada", card, "relabel"));
  review.decide({{"reviewer", "ada"}, {"sample", card["id"]}, {"verdict", "undo"}});
  EXPECT_EQ(review.state("ada")["state"]["decided"], 0);
  EXPECT_EQ(review.next("ada")["card"]["id"], card["id"]);
  EXPECT_EQ(status_of(review, {{"reviewer", "ada"}, {"sample", card["id"]}, {"verdict", "undo"}}), 409);
}

TEST_F(Review, SkippedCardsGoToOthers) {
  auto review = session();
  const auto card = review.next("ada")["card"];
  review.decide(word("ada", card, "skip"));
  EXPECT_NE(review.next("ada")["card"]["id"], card["id"]);
  EXPECT_EQ(review.next("bob")["card"]["id"], card["id"]);
  EXPECT_EQ(review.state("ada")["state"]["decided"], 0);
}

TEST_F(Review, BadRequestsAreRefusedAndNothingIsStored) {
  auto review = session();
  const Json good{{"reviewer", "ada"}, {"sample", 0}, {"verdict", "keep"}};
  const auto with = [&](const char* field, Json value) {
    auto changed = good;
    changed[field] = std::move(value);
    return changed;
  };
  EXPECT_EQ(status_of(review, with("reviewer", "")), 400);
  EXPECT_EQ(status_of(review, with("reviewer", std::string(81, 'x'))), 400);
  EXPECT_EQ(status_of(review, with("reviewer", "a\nb")), 400);
  EXPECT_EQ(status_of(review, with("reviewer", 7)), 400);
  EXPECT_EQ(status_of(review, with("sample", 12345)), 404);
  EXPECT_EQ(status_of(review, with("sample", "0; DROP TABLE")), 400);
  EXPECT_EQ(status_of(review, with("verdict", "destroy")), 400);
  EXPECT_EQ(status_of(review, with("verdict", "relabel")), 400) << "no label";
  auto label = with("verdict", "relabel");
  for (const Json& value : {Json(-1), Json(6), Json("1"), Json(1.5)}) {
    label["label"] = value;
    EXPECT_EQ(status_of(review, label), 400) << value;
  }
  auto node = with("verdict", "parent");
  EXPECT_EQ(status_of(review, node), 400);
  node["node"] = "no-such-node";
  EXPECT_EQ(status_of(review, node), 400);
  EXPECT_EQ(status_of(review, with("ticket", "forged")), 409);
  EXPECT_EQ(status_of(review, Json::array()), 400);
  EXPECT_TRUE(stored().empty());
  EXPECT_EQ(status_of(review, good), 200);
}

TEST_F(Review, ARepeatedKeyIsRecordedOnce) {
  auto review = session();
  Json request{{"reviewer", "ada"}, {"sample", 0}, {"verdict", "keep"}, {"key", "k1"}};
  const auto first = review.decide(request)["id"];
  EXPECT_EQ(review.decide(request)["id"], first);
  EXPECT_EQ(stored().size(), 1U);
}

TEST_F(Review, ReadOnlyTakesNothing) {
  ReviewOptions options;
  options.read_only = true;
  auto review = session(options);
  EXPECT_EQ(status_of(review, {{"reviewer", "ada"}, {"sample", 0}, {"verdict", "keep"}}), 403);
  EXPECT_EQ(review.next("ada")["card"]["id"], 0);
}

TEST_F(Review, AThousandConcurrentDecisionsAreAllKept) {
  auto review = session();
  constexpr int kThreads = 10, kEach = 100;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i)
        review.decide({{"reviewer", "r" + std::to_string(t)},
                       {"sample", (t * 17 + i) % 200},
                       {"verdict", i % 2 ? "keep" : "none"}});
    });
  for (auto& thread : threads) thread.join();
  const auto records = stored();
  EXPECT_EQ(records.size(), static_cast<std::size_t>(kThreads * kEach));
  EXPECT_FALSE(first_broken_link(records));
  std::set<std::pair<std::string, std::int64_t>> seen;
  for (const auto& record : records) seen.emplace(record.reviewer, record.sample);
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(kThreads * kEach));
}

TEST_F(Review, ConfirmedPairsRiseAndRejectedOnesFall) {
  // Two pairs with equal probabilities; reviewers find one always wrong, the other always right.
  std::vector<ScoreRow> rows;
  for (int i = 0; i < 60; ++i) rows.push_back(scored(i, 0, 1, 0.7));
  for (int i = 100; i < 160; ++i) rows.push_back(scored(i, 3, 4, 0.7));
  table_.emplace(test::bird_table(rows));
  auto review = session();
  for (int i = 0; i < 10; ++i) review.decide({{"reviewer", "ada"}, {"sample", i}, {"verdict", "keep"}});
  for (int i = 100; i < 110; ++i)
    review.decide({{"reviewer", "ada"}, {"sample", i}, {"verdict", "relabel"}, {"label", 4}});
  const auto card = review.next("ada")["card"];
  EXPECT_EQ(card["given"], 3);
  EXPECT_GT(card["p"].get<double>(), 0.7);
  const auto other = review.next("ada", pair_key(0, 1))["card"];
  EXPECT_EQ(other["given"], 0);
  EXPECT_LT(other["p"].get<double>(), 0.7);
  EXPECT_EQ(review.next("ada", pair_key(0, 1))["left"], 50);
}

TEST_F(Review, AuditsAreBlindRandomAndGiveTheNoiseRate) {
  ReviewOptions options;
  options.audit_rate = 0.5;
  auto review = session(options);
  for (int i = 0; i < 120; ++i) {
    const auto card = review.next("ada")["card"];
    ASSERT_FALSE(card.contains("p"));
    ASSERT_FALSE(card.contains("source"));
    ASSERT_TRUE(card["why"].empty());
    // The truth of this test: samples with an id below 40 are wrong.
    review.decide(word("ada", card, card["id"].get<int>() < 40 ? "relabel" : "keep"));
  }
  std::size_t audits = 0, suspects_among_audits = 0;
  for (const auto& record : stored()) {
    audits += record.source == "audit" ? 1 : 0;
    suspects_among_audits += record.source == "audit" && record.sample < 100 ? 1 : 0;
  }
  EXPECT_GT(audits, 40U);
  EXPECT_LT(audits, 80U);
  EXPECT_LT(suspects_among_audits, audits * 3 / 4) << "audits do not follow the ranking";
  const auto noise = review.state("ada")["state"]["noise"];
  EXPECT_EQ(noise["method"], "audit");
  EXPECT_LE(noise["low"].get<double>(), 0.2) << "what was seen to be wrong is known";
  EXPECT_GT(noise["high"].get<double>(), 0.2);
  EXPECT_EQ(noise, noise_json(review.summary().noise, review.summary().samples)) << "as in a report";
  EXPECT_EQ(noise["level"], 90);
  EXPECT_FALSE(noise["needs_audit"].get<bool>());
}

TEST_F(Review, RandomCardsCanBeAskedForAndMoveWhatIsShown) {
  auto review = session();
  const auto before = review.summary();
  std::set<std::int64_t> seen;
  for (int i = 0; i < 40; ++i) {
    const auto card = review.next_audit("ada")["card"];
    EXPECT_EQ(review.next_audit("ada")["card"]["id"], card["id"]) << "the same until it is decided";
    EXPECT_NE(review.next_audit("bob")["card"]["id"], card["id"]);
    ASSERT_FALSE(card.contains("p")) << "random cards are blind, whatever the queue is";
    EXPECT_TRUE(card["rivals"][0][1].is_null());
    EXPECT_TRUE(seen.insert(card["id"].get<std::int64_t>()).second);
    review.decide(word("ada", card, card["id"].get<int>() < 150 ? "relabel" : "keep"));
  }
  for (const auto& record : stored()) EXPECT_EQ(record.source, "audit");
  const auto after = review.summary();
  EXPECT_EQ(after.noise.method, EstimateMethod::kAudit);
  EXPECT_NEAR(after.noise.rate, 0.75, 0.15);
  EXPECT_LT(after.noise.low, 0.75);
  EXPECT_GT(after.noise.high, 0.75);
  EXPECT_NE(before.review_for(0.5), after.review_for(0.5));
  EXPECT_NE(before.classes[0].wrong, after.classes[0].wrong);
}

TEST_F(Review, PlantedErrorsShowAWrongLabelAndNeverCount) {
  ReviewOptions options;
  options.planted_rate = 0.9;
  auto review = session(options);
  std::size_t planted = 0;
  for (int i = 0; i < 5; ++i) {
    const auto card = review.next("ada")["card"];
    const auto& row = rows_[card["id"].get<std::size_t>()];
    if (card["given"] != row.label) {
      ++planted;
      EXPECT_EQ(card["suggested"], row.label);
      EXPECT_LE(row.p_mislabelled, 0.05F);
    }
    review.decide(word("ada", card, "relabel"));
  }
  EXPECT_GT(planted, 0U);
  const auto log = fold_decisions(stored());
  EXPECT_EQ(log.planted().size(), planted);
  EXPECT_EQ(log.standing().size(), 5 - planted);
}

TEST_F(Review, ACardFromBeforeARestartIsStillKnown) {
  ReviewOptions options;
  options.planted_rate = 0.9;
  Json planted, suspect;
  {
    auto review = session(options);
    for (int i = 0; i < 40 && (planted.is_null() || suspect.is_null()); ++i) {
      const auto card = review.next("ada")["card"];
      const bool shown_wrong = card["given"] != rows_[card["id"].get<std::size_t>()].label;
      (shown_wrong ? planted : suspect) = card;
      if (planted.is_null() || suspect.is_null()) review.decide(word("ada", card, "skip"));
    }
  }
  ASSERT_FALSE(planted.is_null());
  ASSERT_FALSE(suspect.is_null());
  const auto before = stored().size();
  auto review = session(options);
  EXPECT_EQ(status_of(review, word("bob", planted, "relabel")), 409) << "it was ada's card";
  review.decide(word("ada", planted, "relabel"));
  review.decide(word("ada", suspect, "relabel"));
  const auto records = stored();
  ASSERT_EQ(records.size(), before + 2);
  EXPECT_EQ(records[before].source, "planted");
  EXPECT_EQ(records[before + 1].source, "queue");
}

TEST_F(Review, WhatADeadServerRecordedBeforeItCouldAnswerIsNotRecordedAgain) {
  const Json keep{{"reviewer", "ada"}, {"sample", 0}, {"verdict", "keep"}, {"key", "k1"}, {"after", 0}};
  Json undo{{"reviewer", "ada"}, {"sample", 0}, {"verdict", "undo"}, {"key", "k2"}};
  std::int64_t kept = 0, undone = 0;
  {
    auto review = session();
    kept = review.decide(keep)["id"].get<std::int64_t>();
  }
  {
    auto review = session();
    EXPECT_EQ(review.decide(keep)["id"], kept) << "sent again, after a restart";
    EXPECT_EQ(review.state("ada")["last"], kept);
    undo["after"] = kept;
    undone = review.decide(undo)["id"].get<std::int64_t>();
  }
  auto review = session();
  EXPECT_EQ(review.decide(undo)["id"], undone);
  EXPECT_EQ(stored().size(), 2U);
  auto again = keep;
  again["after"] = undone;
  EXPECT_GT(review.decide(again)["id"].get<std::int64_t>(), undone) << "a new word, though an equal one";
}

TEST_F(Review, BlindCardsDoNotTellTheirFolder) {
  ReviewOptions options;
  options.audit_rate = 0.5;
  auto review = session(options);
  EXPECT_FALSE(review.next("ada")["card"].contains("path"));
}

TEST_F(Review, WithoutAWorkspaceItOnlyShows) {
  ReviewOptions options;
  options.read_only = true;
  Page review{ReviewSession(*table_, families_, std::nullopt, {"", "digest", "scores"}, options, "secret")};
  EXPECT_EQ(review.next("ada")["card"]["id"], 0);
  EXPECT_EQ(status_of(review, {{"reviewer", "ada"}, {"sample", 0}, {"verdict", "keep"}}), 403);
}

TEST(ReviewOptions, RatesThatLeaveNoRoomAreRefused) {
  ReviewOptions options;
  options.audit_rate = 0.6;
  options.planted_rate = 0.5;
  EXPECT_THROW(options.validate(), UsageError);
  options.planted_rate = 0.1;
  options.validate();
  options.reviews = 0;
  EXPECT_THROW(options.validate(), UsageError);
}

}  // namespace
}  // namespace procsim::curate
