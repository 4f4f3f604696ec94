#include "curate/decisions/findings.hpp"

#include <numeric>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/curate/scored_birds.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::curate {
namespace {

using test::bird_table;
using test::scored;

void judge(DecisionLog& log, std::int64_t sample, const std::string& verdict,
           const std::string& source = "queue") {
  DecisionRecord record;
  record.sample = sample;
  record.reviewer = "ada";
  record.verdict = verdict;
  record.source = source;
  if (verdict == "relabel") record.new_label = 1;
  log.add(record);
}

ScoreTable thousand() {
  std::vector<ScoreRow> rows;
  for (int i = 0; i < 1000; ++i) rows.push_back(scored(i, 0, 1, i < 200 ? 0.2 : 0.01));
  return bird_table(rows);
}

double sum_of(const Findings& findings) {
  return std::accumulate(findings.wrong.begin(), findings.wrong.end(), 0.0);
}

TEST(Findings, WithoutDecisionsAreTheScores) {
  const auto table = thousand();
  const auto findings = find_out(table, {}, AuditDesign(table, 1));
  EXPECT_FALSE(findings.any());
  EXPECT_FALSE(findings.audit);
  for (std::uint32_t row = 0; row < table.size(); ++row)
    EXPECT_DOUBLE_EQ(findings.wrong[row], table.p_mislabelled()[row]);
}

TEST(Findings, KnowWhatWasJudgedAndCalibrateTheRest) {
  const auto table = thousand();
  DecisionLog log;
  for (int i = 0; i < 100; ++i) judge(log, i, i % 10 < 9 ? "relabel" : "keep");
  judge(log, 500, "skip");
  judge(log, 501, "ambiguous");
  const auto findings = find_out(table, log, AuditDesign(table, 1));
  EXPECT_EQ(findings.confirmed, 90U);
  EXPECT_EQ(findings.judged_count, 101U) << "a skip is no opinion";
  EXPECT_EQ(findings.wrong[0], 1);
  EXPECT_EQ(findings.wrong[9], 0);
  EXPECT_GT(findings.wrong[150], 0.7) << "alike ones were wrong nine times in ten";
  EXPECT_GT(findings.wrong[501], 0);
  EXPECT_LT(findings.wrong[501], 1);
}

TEST(Findings, AddUpToWhatTheAuditFound) {
  const auto table = thousand();
  DecisionLog log;
  for (int i = 0; i < 200; i += 10) judge(log, i, "relabel", "audit");
  for (int i = 200; i < 1000; i += 10) judge(log, i, i % 80 == 0 ? "relabel" : "keep", "audit");
  const auto findings = find_out(table, log, AuditDesign(table, 1));
  ASSERT_TRUE(findings.audit);
  EXPECT_EQ(findings.audit->audited, 100U);
  EXPECT_NEAR(sum_of(findings), findings.audit->wrong, 0.01);
  EXPECT_LT(findings.audit->low, findings.audit->wrong);
  EXPECT_NEAR(findings.audit->wrong, 300, 15) << "all of 200, and one in eight of 800";
}

// Made by make_expected_findings.py with NumPy.
TEST(Findings, EachCardOfTheAuditIsJudgedByACalibrationThatHasNotSeenIt) {
  const auto item = nlohmann::json::parse(
      test::read_all(test::source_folder() / "tests/curate/decisions/expected_findings.json"));
  std::vector<ScoreRow> rows;
  for (std::size_t i = 0; i < item["p"].size(); ++i) {
    rows.push_back(
        scored(static_cast<std::int64_t>(i), item["label"][i], item["suggested"][i], item["p"][i]));
    rows.back().suspicion = rows.back().p_mislabelled;
  }
  const auto table = bird_table(rows);
  DecisionLog log;
  const auto judge_all = [&](const char* list, const char* source) {
    for (const auto& sample : item[list])
      judge(log, sample, item["wrong"][sample.get<std::size_t>()] == 1 ? "none" : "keep", source);
  };
  judge_all("cards", "audit");
  judge_all("suspects", "queue");
  const auto findings = find_out(table, log, AuditDesign(table, 1));
  ASSERT_TRUE(findings.audit);
  EXPECT_NEAR(findings.audit->wrong, item["audit"][0].get<double>(), 1e-3);
  EXPECT_NEAR(findings.audit->low, item["audit"][1].get<double>(), 1e-3);
  EXPECT_NEAR(findings.audit->high, item["audit"][2].get<double>(), 1e-3);
}

TEST(Findings, TooFewAuditsAreNone) {
  const auto table = thousand();
  DecisionLog log;
  for (int i = 0; i < 29; ++i) judge(log, 30 * i, "keep", "audit");
  EXPECT_FALSE(find_out(table, log, AuditDesign(table, 1)).audit);
  judge(log, 999, "keep", "audit");
  EXPECT_TRUE(find_out(table, log, AuditDesign(table, 1)).audit);
}

TEST(Findings, ALaterWordOnASuspectDoesNotChangeTheAudit) {
  const auto table = thousand();
  DecisionLog log;
  for (int i = 0; i < 1000; i += 20) judge(log, i, i < 200 ? "relabel" : "keep", "audit");
  const auto before = find_out(table, log, AuditDesign(table, 1)).audit->wrong;
  judge(log, 0, "keep", "queue");
  EXPECT_DOUBLE_EQ(find_out(table, log, AuditDesign(table, 1)).audit->wrong, before);
}

}  // namespace
}  // namespace procsim::curate
