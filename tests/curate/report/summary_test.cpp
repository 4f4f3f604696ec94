#include "curate/report/summary.hpp"

#include <gtest/gtest.h>

#include "tests/curate/scored_birds.hpp"

namespace procsim::curate {
namespace {

using test::bird_table;
using test::scored;

ClassFamilies families() { return {test::bird_taxonomy(), test::bird_classes()}; }

Summary summary_of(const ScoreTable& table, const DecisionLog& log = {}) {
  return summarize(table, table.ranking(), families(), log);
}

TEST(Summary, AddsUpProbabilitiesByClassPairAndFamily) {
  const auto table = bird_table({scored(1, 0, 1, 0.9), scored(2, 0, 1, 0.6), scored(3, 0, 3, 0.5),
                                 scored(4, 3, 4, 0.25), scored(5, 5, 0, 0.0)});
  const auto summary = summary_of(table);
  EXPECT_EQ(summary.samples, 5U);
  EXPECT_EQ(summary.suspects, 3U);
  EXPECT_EQ(summary.noise.method, EstimateMethod::kProbabilities);
  EXPECT_NEAR(summary.noise.rate, 2.25 / 5, 1e-6);
  // Var = .09 + .24 + .25 + .1875; 1.96 · √.7675 = 1.717
  EXPECT_NEAR(summary.noise.low, (2.25 - 1.71708) / 5, 1e-4);
  EXPECT_NEAR(summary.noise.high, (2.25 + 1.71708) / 5, 1e-4);
  ASSERT_EQ(summary.classes.size(), 3U);
  EXPECT_EQ(summary.classes[0].label, 0);
  EXPECT_NEAR(summary.classes[0].wrong, 2.0, 1e-6);
  ASSERT_EQ(summary.pairs.size(), 4U);
  EXPECT_EQ(summary.pairs[0].suggested, 1);
  EXPECT_NEAR(summary.pairs[0].wrong, 1.5, 1e-6);
  EXPECT_EQ(summary.pairs[0].relation.kinship, Kinship::kSiblings);
  ASSERT_FALSE(summary.families.empty());
  EXPECT_EQ(families().name(summary.families[0].node), "gull");
  EXPECT_NEAR(summary.families[0].wrong, 2.0, 1e-6);
  EXPECT_NEAR(summary.families[0].within, 1.5, 1e-6);
  EXPECT_EQ(summary.suspects_by_kinship.at(Kinship::kSiblings), 2U);
  EXPECT_EQ(summary.suspects_by_kinship.at(Kinship::kStrangers), 1U);
}

TEST(Summary, SaysHowMuchReviewFindsHowMuch) {
  std::vector<ScoreRow> rows;
  for (int i = 0; i < 10; ++i) rows.push_back(scored(i, 0, 1, 1.0));
  for (int i = 10; i < 90; ++i) rows.push_back(scored(i, 0, 1, 0.0));
  const auto table = bird_table(rows);
  const auto summary = summary_of(table);
  ASSERT_EQ(summary.effort.size(), 5U);
  EXPECT_EQ(summary.review_for(0.95), 10U);
  EXPECT_FALSE(summary.review_for(0.6));
  EXPECT_EQ(summary.wrong_labels().count, 10);
  EXPECT_EQ(summary.effort[0].review, 5U);   // 50 %
  EXPECT_EQ(summary.effort[2].review, 9U);   // 90 %
  EXPECT_EQ(summary.effort[3].review, 10U);  // 95 %
  EXPECT_EQ(summary.curve_end, 90U);
  EXPECT_DOUBLE_EQ(summary.curve.front(), 0);
  EXPECT_DOUBLE_EQ(summary.curve.back(), 1);
}

TEST(Summary, TakesTheEstimateOfTheScoresFile) {
  auto info = test::bird_info();
  info.estimates = ScoreEstimates{{0.3, 0.25, 0.36, true}, {}, {}};
  ScoreTable table(info);
  table.append(scored(1, 0, 1, 0.9));
  table.finish();
  const auto summary = summary_of(table);
  EXPECT_EQ(summary.noise.method, EstimateMethod::kScoresFile);
  EXPECT_EQ(summary.noise.level(), 90);
  EXPECT_TRUE(summary.noise.leaning);
  EXPECT_DOUBLE_EQ(summary.noise.high, 0.36);
}

TEST(Summary, TakesTheEstimatesOfClassesAndPairsWhereTheFileHasThem) {
  auto info = test::bird_info();
  info.estimates =
      ScoreEstimates{{}, {{3, {4, 2, 7}}}, {{3, 4, {3, 1, 6}}, {5, 0, {1, 0, 2}}}};  // the last has no sample
  ScoreTable table(info);
  table.append(scored(1, 0, 1, 0.9));
  table.append(scored(2, 3, 4, 0.5));
  table.append(scored(3, 3, 5, 0.3));
  table.finish();
  const auto summary = summary_of(table);
  EXPECT_EQ(summary.classes[0].label, 3);
  EXPECT_DOUBLE_EQ(summary.classes[0].wrong, 4);
  EXPECT_EQ(summary.classes[0].low, 2);
  EXPECT_EQ(summary.classes[0].high, 7);
  EXPECT_NEAR(summary.classes[1].wrong, 0.9, 1e-6) << "no estimate: the sum";
  EXPECT_FALSE(summary.classes[1].low);
  EXPECT_EQ(summary.pairs[0].suggested, 4);
  EXPECT_DOUBLE_EQ(summary.pairs[0].wrong, 3);
  EXPECT_EQ(summary.pairs[0].high, 6);
  EXPECT_EQ(families().name(summary.families[0].node), "sparrow");
  EXPECT_NEAR(summary.families[0].wrong, 4, 1e-6);
  EXPECT_NEAR(summary.families[0].within, 4 * 0.5 / 0.8, 1e-6);
}

void judge(DecisionLog& log, std::int64_t sample, std::string verdict, std::string source) {
  DecisionRecord record;
  record.sample = sample;
  record.reviewer = "ada";
  record.verdict = std::move(verdict);
  record.source = std::move(source);
  if (record.verdict == "relabel") record.new_label = 1;
  log.add(record);
}

TEST(Summary, PrefersAnAuditOnceThereIsEnoughOfIt) {
  std::vector<ScoreRow> rows;
  for (int i = 0; i < 100; ++i) rows.push_back(scored(i, 0, 1, 0.9));
  const auto table = bird_table(rows);
  DecisionLog log;
  EXPECT_EQ(summary_of(table, log).noise.method, EstimateMethod::kProbabilities);
  for (int i = 0; i < 29; ++i) judge(log, i, i < 6 ? "relabel" : "keep", "audit");
  EXPECT_EQ(summary_of(table, log).noise.method, EstimateMethod::kDecisions);
  judge(log, 31, "skip", "audit");
  judge(log, 30, "keep", "audit");
  const auto noise = summary_of(table, log).noise;
  EXPECT_EQ(noise.method, EstimateMethod::kAudit);
  EXPECT_EQ(noise.audited, 30U);
  EXPECT_EQ(noise.level(), 90);
  EXPECT_FALSE(noise.needs_audit());
}

// 2,000 labels, 200 of which are given 0.15 and are wrong; 37 wrong ones are stated at first.
TEST(Summary, FollowsWhatReviewersFound) {
  auto info = test::bird_info();
  info.estimates = ScoreEstimates{{0.0185, 0, 0.034, false}, {}, {}};
  ScoreTable table(info);
  for (int i = 0; i < 400; ++i) table.append(scored(i, i % 2 * 3, 2, 0.16 - 0.0001 * i));
  for (int i = 400; i < 2000; ++i) table.append(scored(i, i % 2 * 3, 2, 0.001));
  table.finish();
  EXPECT_EQ(summary_of(table).wrong_labels().count, 37);
  DecisionLog log;
  for (int i = 0; i < 400; ++i) judge(log, i, i < 200 ? "relabel" : "keep", "queue");
  const auto summary = summary_of(table, log);
  EXPECT_EQ(summary.noise.method, EstimateMethod::kDecisions);
  EXPECT_EQ(summary.judged, 400U);
  EXPECT_EQ(summary.confirmed, 200U);
  EXPECT_GE(summary.wrong_labels().low, 200);
  EXPECT_GE(summary.wrong_labels().count, 200);
  EXPECT_GE(summary.review_for(0.5), 400U) << "what was reviewed counts as work";
  EXPECT_NEAR(summary.classes[0].wrong + summary.classes[1].wrong, summary.noise.rate * 2000, 1e-6);
  EXPECT_NEAR(summary.pairs[0].wrong + summary.pairs[1].wrong, summary.noise.rate * 2000, 1e-6);
  EXPECT_FALSE(summary.classes[0].low) << "the file's interval was of other numbers";
}

// As on roman: of 1,000 labels, 6.6 % of which are said to be wrong, 414 are not the class that the features
// like best, and 20 more may be by chance. Of the 200 most suspect 190 are wrong: four times what was said.
TEST(Summary, ReviewedSuspectsDoNotStretchTheHighReading) {
  auto info = test::bird_info();
  info.estimates =
      ScoreEstimates{{0.066, 0.04, 0.434, false, WrongRate::Readings{0.066, 0.414}, true}, {}, {}};
  ScoreTable table(info);
  for (int i = 0; i < 1000; ++i) {
    const bool disagrees = i < 414;
    auto row = scored(i, i % 2 * 3, i < 214 ? 2 : 5, i < 214 ? 0.3 - 0.0001 * i : 0.001);
    row.p_given = disagrees ? 0.3F : 0.9F;
    row.rivals = {{row.suggested, disagrees ? 0.5F : 0.05F}};
    table.append(row);
  }
  table.finish();
  DecisionLog log;
  for (int i = 0; i < 200; ++i) judge(log, i, i % 20 == 0 ? "keep" : "relabel", "queue");
  const auto noise = summary_of(table, log).noise;
  EXPECT_EQ(noise.method, EstimateMethod::kDecisions);
  EXPECT_GE(noise.low, 0.19) << "what was found";
  EXPECT_NEAR(noise.high, 0.19 + 0.434 - 0.2, 1e-9) << "found, and what disagrees and is not judged yet";
  EXPECT_TRUE(noise.needs_audit());
  for (int i = 200; i < 414; ++i) judge(log, i, "keep", "queue");
  const auto later = summary_of(table, log).noise;
  EXPECT_LT(later.high, noise.high);
}

TEST(Summary, AsksForAnAuditWhereTheIntervalIsWide) {
  const auto needs = [](double low, double high, EstimateMethod method) {
    return NoiseEstimate{(low + high) / 2, low, high, method}.needs_audit();
  };
  EXPECT_TRUE(needs(0.02, 0.2, EstimateMethod::kScoresFile));
  EXPECT_FALSE(needs(0.02, 0.05, EstimateMethod::kScoresFile));
  EXPECT_FALSE(needs(0.35, 0.45, EstimateMethod::kScoresFile));
  EXPECT_FALSE(needs(0.02, 0.2, EstimateMethod::kAudit)) << "that is what it would do";
}

// 63 of 2,831 at most by the noise model; by the other reading 9 in 100.
TEST(Summary, AsksForAnAuditWhereTheScoresSayThatOnlyItDecides) {
  auto info = test::bird_info();
  WrongRate rate{0.008, 0, 0.09};
  rate.audit_decides = true;
  info.estimates = ScoreEstimates{rate, {}, {}};
  ScoreTable table(info);
  for (int i = 0; i < 400; ++i) table.append(scored(i, i % 2 * 3, 2, 0.008));
  table.finish();
  EXPECT_TRUE(summary_of(table).noise.needs_audit());
  DecisionLog log;
  for (int i = 0; i < 100; ++i) judge(log, i, "keep", "queue");
  EXPECT_TRUE(summary_of(table, log).noise.needs_audit()) << "of the rest nothing is known";
  for (int i = 0; i < 395; ++i) judge(log, i, "keep", "queue");
  EXPECT_FALSE(summary_of(table, log).noise.needs_audit()) << "there is no rest to speak of";
}

TEST(Summary, CountsImagesOfNoClassWithWhatPeopleFound) {
  std::vector<ScoreRow> rows;
  for (int i = 0; i < 10; ++i) rows.push_back(scored(i, 0, 1, 0.3));
  EXPECT_FALSE(summary_of(bird_table(rows)).none) << "these scores do not judge that";
  for (int i = 0; i < 4; ++i) rows[static_cast<std::size_t>(i)].p_none = 0.25F;
  const auto table = bird_table(rows);
  EXPECT_EQ(summary_of(table).none, 1);
  DecisionLog log;
  judge(log, 0, "none", "queue");
  judge(log, 1, "keep", "queue");
  EXPECT_EQ(summary_of(table, log).none, 1.5) << "one found, two of a quarter left";
}

TEST(Summary, NoReviewIsAskedForWhereNothingIsExpected) {
  std::vector<ScoreRow> rows;
  for (int i = 0; i < 40; ++i) rows.push_back(scored(i, 0, 1, 0.01));
  EXPECT_TRUE(summary_of(bird_table(rows)).effort.empty());
  rows.push_back(scored(40, 0, 1, 0.9));
  EXPECT_FALSE(summary_of(bird_table(rows)).effort.empty());
}

TEST(Summary, OfNothingIsEmpty) {
  const auto table = bird_table({});
  const auto summary = summary_of(table);
  EXPECT_EQ(summary.samples, 0U);
  EXPECT_TRUE(summary.effort.empty());
  EXPECT_EQ(summary.noise.rate, 0);
}

}  // namespace
}  // namespace procsim::curate
