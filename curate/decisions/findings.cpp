#include "curate/decisions/findings.hpp"

#include <algorithm>
#include <cmath>

namespace procsim::curate {

namespace {

std::optional<bool> is_wrong(const std::map<std::string, Opinion>& opinions, std::int32_t given) {
  const auto outcome = settle(opinions, given, 1);
  if (!outcome.settled || outcome.opinion.verdict == Verdict::kAmbiguous) return std::nullopt;
  return outcome.opinion.verdict != Verdict::kKeep;
}

// Moves the log-odds of the rows that nobody judged until they add up to `total` (Newton's method; the sum
// grows with the shift).
void move_to_total(Findings& findings, double total) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < findings.probability.size(); ++row)
    if (!findings.judged[row]) rows.push_back(row);
  const auto count = static_cast<double>(rows.size());
  total = std::clamp(total, std::min(1e-6, count), std::max(0.0, count - 1e-6));
  double shift = 0;
  const auto moved = [&](double probability) { return 1 / (1 + std::exp(-(log_odds(probability) + shift))); };
  for (int round = 0; round < 60 && !rows.empty(); ++round) {
    double sum = 0, slope = 0;
    for (const auto row : rows) {
      const double p = moved(findings.probability[row]);
      sum += p;
      slope += p * (1 - p);
    }
    const double step = std::clamp((total - sum) / std::max(slope, 1e-12), -1.0, 1.0);
    shift += step;
    if (std::abs(step) < 1e-6) break;
  }
  for (auto& probability : findings.probability) probability = moved(probability);
}

// The number of wrong labels by calibrations that have not seen the cards they judge.
AuditEstimate estimate_crosswise(const ScoreTable& table, const AuditDesign& design,
                                 std::vector<JudgedRow> rows, const std::vector<CalibrationCase>& cases,
                                 const Findings& findings) {
  std::vector<std::size_t> cards;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].audited) cards.push_back(i);
  std::ranges::sort(cards, {}, [&](std::size_t i) { return table.sample_ids()[rows[i].row]; });
  std::vector<std::size_t> part_of(rows.size(), kAuditParts);
  for (std::size_t i = 0; i < cards.size(); ++i) part_of[cards[i]] = i % kAuditParts;

  std::vector<std::size_t> of_stratum(design.strata(), 0);
  for (const auto i : cards) ++of_stratum[design.stratum(rows[i].row)];
  auto model = findings.probability;
  for (std::uint32_t row = 0; row < table.size(); ++row)
    if (of_stratum[design.stratum(row)] > 0) model[row] = 0;
  for (std::size_t part = 0; part < kAuditParts; ++part) {
    std::vector<CalibrationCase> others;
    std::vector<double> weight(design.strata(), 0);
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (part_of[i] != part)
        others.push_back(cases[i]);
      else
        weight[design.stratum(rows[i].row)] += 1;
    for (std::size_t stratum = 0; stratum < weight.size(); ++stratum)
      weight[stratum] /= static_cast<double>(std::max<std::size_t>(1, of_stratum[stratum]));
    const auto calibration = Calibration::fit(others, findings.calibration);
    const auto expected = [&](std::uint32_t row) {
      return calibration(table.p_mislabelled()[row], pair_key(table.labels()[row], table.suggested()[row]));
    };
    for (std::uint32_t row = 0; row < table.size(); ++row)
      if (const double share = weight[design.stratum(row)]; share > 0) model[row] += share * expected(row);
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (part_of[i] == part) rows[i].expected = expected(rows[i].row);
  }
  return estimate_wrong(table, design, model, rows);
}

}  // namespace

std::vector<JudgedRow> judged_rows(const ScoreTable& table, const DecisionLog& decisions) {
  std::vector<JudgedRow> rows;
  for (const auto& [sample, opinions] : decisions.standing()) {
    const auto row = table.find(sample);
    if (!row) continue;
    const auto audit = decisions.audits().find(sample);
    const bool audited = audit != decisions.audits().end();
    if (const auto wrong = is_wrong(audited ? audit->second : opinions, table.labels()[*row]))
      rows.push_back({*row, *wrong, audited});
  }
  return rows;
}

Findings find_out(const ScoreTable& table, const DecisionLog& decisions, const AuditDesign& design,
                  const Calibration& start) {
  Findings findings;
  const auto rows = judged_rows(table, decisions);
  std::vector<CalibrationCase> cases;
  for (const auto& each : rows)
    cases.push_back({table.p_mislabelled()[each.row],
                     pair_key(table.labels()[each.row], table.suggested()[each.row]), each.wrong});
  findings.calibration = Calibration::fit(cases, start);
  findings.judged.assign(table.size(), false);
  findings.probability.resize(table.size());
  for (std::uint32_t row = 0; row < table.size(); ++row)
    findings.probability[row] =
        cases.empty() ? table.p_mislabelled()[row]
                      : findings.calibration(table.p_mislabelled()[row],
                                             pair_key(table.labels()[row], table.suggested()[row]));
  const auto audited = static_cast<std::size_t>(std::ranges::count_if(rows, &JudgedRow::audited));
  if (audited >= kLeastAudits) findings.audit = estimate_crosswise(table, design, rows, cases, findings);
  for (const auto& each : rows) {
    findings.judged[each.row] = true;
    findings.confirmed += each.wrong ? 1 : 0;
  }
  if (findings.audit) move_to_total(findings, findings.audit->undecided_wrong);
  findings.wrong = findings.probability;
  for (const auto& each : rows) findings.wrong[each.row] = each.wrong ? 1 : 0;
  // Opinions that settle nothing are work done all the same.
  for (const auto& [sample, opinions] : decisions.standing()) {
    const auto row = table.find(sample);
    if (!row) continue;
    const auto outcome = settle(opinions, table.labels()[*row], 1);
    if (outcome.reviewers > 0) findings.judged[*row] = true;
    if (outcome.settled && outcome.opinion.verdict == Verdict::kNone) ++findings.none;
  }
  findings.judged_count = static_cast<std::size_t>(std::ranges::count(findings.judged, true));
  return findings;
}

}  // namespace procsim::curate
