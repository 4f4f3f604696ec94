#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "curate/decisions/decisions.hpp"
#include "curate/evidence/audit.hpp"
#include "curate/evidence/calibration.hpp"
#include "curate/evidence/score_table.hpp"

namespace procsim::curate {

inline constexpr std::size_t kLeastAudits = 30;  // fewer say too little to stand for all

// What people have found so far, and what that says of the labels that nobody judged. Everything shown of a
// reviewed data set comes from here: headline, curve, classes, pairs, the order of the queue.
struct Findings {
  Calibration calibration;
  // A row each: the probability that the label is wrong, calibrated by the decisions and, with an audit,
  // moved so that those of the rows that nobody judged add up to what it found.
  std::vector<double> probability;
  std::vector<double> wrong;           // the same, but 1 or 0 where people agreed
  std::vector<bool> judged;            // has an opinion that is no skip
  std::size_t judged_count = 0;        // rows of `judged`
  std::size_t none = 0;                // rows that people found to belong to no class
  std::size_t confirmed = 0;           // of these, found to be wrong
  std::optional<AuditEstimate> audit;  // once kLeastAudits cards were judged
  bool any() const { return judged_count > 0; }
};

// The rows that people agree on; the random cards with what was said of them as such. Samples that the table
// does not have, ambiguous ones and ties are left out.
std::vector<JudgedRow> judged_rows(const ScoreTable& table, const DecisionLog& decisions);

// Cards of the audit are dealt to this many parts, in the order of their sample ids. For the estimate each is
// judged by a calibration that was fitted without its part, and every other label by the mean of these
// calibrations, weighted as the parts are among the cards of its stratum: so the estimate has no bias, and
// its interval does not shrink because the calibration knows the cards.
inline constexpr std::size_t kAuditParts = 5;

// `start`: where the fit begins, the one before.
Findings find_out(const ScoreTable& table, const DecisionLog& decisions, const AuditDesign& design,
                  const Calibration& start = {});

}  // namespace procsim::curate
