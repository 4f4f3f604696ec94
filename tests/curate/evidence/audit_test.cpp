#include "curate/evidence/audit.hpp"

#include <cmath>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "data/base/keyed_random.hpp"
#include "tests/curate/scored_birds.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::curate {
namespace {

using test::bird_table;
using test::scored;

// Made by make_expected_audit.py with NumPy.
nlohmann::json expected() {
  return nlohmann::json::parse(
      test::read_all(test::source_folder() / "tests/curate/evidence/expected_audit.json"));
}

ScoreTable table_of(const std::vector<double>& probabilities) {
  std::vector<ScoreRow> rows;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    rows.push_back(scored(static_cast<std::int64_t>(i), 0, 1, probabilities[i]));
    rows.back().suspicion = static_cast<float>(probabilities[i]);
  }
  return bird_table(rows);
}

std::vector<JudgedRow> judged(const std::vector<std::uint32_t>& rows, const nlohmann::json& wrong,
                              bool audited) {
  std::vector<JudgedRow> list;
  for (const auto row : rows) list.push_back({row, wrong[row] == 1, audited});
  return list;
}

void expect_estimate(const AuditEstimate& estimate, const nlohmann::json& values) {
  EXPECT_NEAR(estimate.wrong, values[0].get<double>(), 1e-3);
  EXPECT_NEAR(estimate.low, values[1].get<double>(), 1e-3);
  EXPECT_NEAR(estimate.high, values[2].get<double>(), 1e-3);
}

TEST(Audit, StrataAndEstimateAreThoseOfAnIndependentComputation) {
  const auto item = expected();
  const auto table = table_of(item["p"]);
  const AuditDesign design(table, 1);
  for (std::uint32_t row = 0; row < table.size(); ++row)
    ASSERT_EQ(design.stratum(row), item["stratum"][row].get<std::uint32_t>()) << row;
  const std::vector<double> model = item["model"];
  expect_estimate(estimate_wrong(table, design, model, judged(item["cards"], item["wrong"], true)),
                  item["audit_alone"]);
}

TEST(Audit, WhatWasReviewedFromTheTopIsKnownAndTheRestStandsForItself) {
  const auto item = expected();
  const auto table = table_of(item["p"]);
  const AuditDesign design(table, 1);
  auto all = judged(item["cards"], item["wrong"], true);
  const std::vector<std::uint32_t> cards = item["cards"];
  for (const auto& each : judged(item["top"], item["wrong"], false))
    if (std::ranges::find(cards, each.row) == cards.end()) all.push_back(each);
  const std::vector<double> model = item["model"];
  expect_estimate(estimate_wrong(table, design, model, all), item["after_review"]);
}

TEST(Audit, DrawsFromEveryStratumTheUnsuspectedToo) {
  std::vector<double> probabilities(1000, 0.001);
  for (std::size_t i = 0; i < 40; ++i) probabilities[i] = 0.9;
  const auto table = table_of(probabilities);
  const AuditDesign design(table, 7);
  std::vector<std::size_t> drawn(design.strata(), 0);
  std::set<std::uint32_t> rows;
  for (int i = 0; i < 60; ++i) {
    const auto row = design.next(drawn, [&](std::uint32_t each) { return !rows.contains(each); });
    ASSERT_TRUE(row);
    EXPECT_TRUE(rows.insert(*row).second);
    ++drawn[design.stratum(*row)];
  }
  for (std::uint32_t stratum = 0; stratum < design.strata(); ++stratum) {
    EXPECT_GE(drawn[stratum], 2U) << stratum;
    EXPECT_NEAR(static_cast<double>(drawn[stratum]), 60 * design.share(stratum), 1.5) << stratum;
  }
  EXPECT_FALSE(design.next(drawn, [](std::uint32_t) { return false; }));
}

// 200 audits of 100 cards each. The scores rank well and say far too little, as on data that nobody tuned on.
TEST(Audit, NineIntervalsInTenHoldTheTruthAndNothingIsBiased) {
  const auto random = KeyedRandom(3, "audit test");
  std::vector<double> probabilities;
  std::vector<bool> wrong;
  double truth = 0;
  for (int i = 0; i < 3000; ++i) {
    auto draws = random.for_id(i);
    wrong.push_back(draws.uniform() < 0.13);
    truth += wrong.back() ? 1 : 0;
    const double evidence = 2.4 * draws.normal() + (wrong.back() ? 2.88 : -2.88) - 1.9;
    probabilities.push_back(1 / (1 + std::exp(-(evidence - 1.5))));
  }
  const auto table = table_of(probabilities);
  double sum = 0, half = 0;
  int held = 0;
  constexpr int kAudits = 200;
  for (int audit = 0; audit < kAudits; ++audit) {
    const AuditDesign design(table, static_cast<std::uint64_t>(audit));
    std::vector<std::size_t> drawn(design.strata(), 0);
    std::set<std::uint32_t> seen;
    std::vector<JudgedRow> cards;
    while (cards.size() < 100) {
      const auto row = design.next(drawn, [&](std::uint32_t each) { return !seen.contains(each); });
      seen.insert(*row);
      ++drawn[design.stratum(*row)];
      cards.push_back({*row, wrong[*row], true});
    }
    const auto estimate = estimate_wrong(table, design, probabilities, cards);
    sum += estimate.wrong;
    half += (estimate.high - estimate.low) / 2;
    held += estimate.low <= truth && truth <= estimate.high ? 1 : 0;
  }
  EXPECT_GE(held, kAudits * 88 / 100);
  EXPECT_NEAR(sum / kAudits / truth, 1, 0.03);
  EXPECT_LE(half / kAudits / 3000, 0.04);
}

TEST(Audit, NeverSaysFewerThanWereSeen) {
  const auto table = table_of(std::vector<double>(100, 0.01));
  const AuditDesign design(table, 1);
  std::vector<JudgedRow> rows;
  for (std::uint32_t row = 0; row < 50; ++row) rows.push_back({row, true, false});
  const auto estimate = estimate_wrong(table, design, std::vector<double>(100, 0.01), rows);
  EXPECT_GE(estimate.low, 50);
  EXPECT_NEAR(estimate.wrong, 50.5, 1e-6);
}

}  // namespace
}  // namespace procsim::curate
