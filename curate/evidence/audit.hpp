#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "curate/evidence/score_table.hpp"

namespace procsim::curate {

// What a stratified audit needs to be told. Set on roman and on drawn sets (bench/audit_simulation.py).
struct AuditOptions {
  std::size_t strata = 8;
  // Of a stratum's share of the cards: this much by its deviation (Neyman), the rest by its size, so that the
  // unsuspected are looked at whatever the scores say.
  double neyman_share = 0.7;
  double least_probability = 0.02;  // no label is taken to be surer than this when cards are allotted
  double model_weight = 1;          // cards' worth of belief in the model's variance within a stratum
};

// The samples in strata of suspicion, from the least to the most suspect, each with about the same sum of
// standard deviations √(p(1 − p)); within a stratum in a random order that depends on seed and sample id
// only. The first n of an order are a simple random sample of the stratum, so whoever draws along it knows
// every inclusion probability. The table must outlive it.
class AuditDesign {
 public:
  AuditDesign(const ScoreTable& table, std::uint64_t seed, AuditOptions options = {});

  std::size_t strata() const { return orders_.size(); }
  std::uint32_t stratum(std::uint32_t row) const { return stratum_of_[row]; }
  std::size_t size(std::uint32_t stratum) const { return orders_[stratum].size(); }
  double share(std::uint32_t stratum) const { return shares_[stratum]; }  // of the cards; they add up to 1
  const AuditOptions& options() const { return options_; }

  // The next row to judge: of the stratum that lags most behind its share (`drawn`: cards of each so far),
  // the first of its order for which `open` holds. Empty when there is none.
  std::optional<std::uint32_t> next(std::span<const std::size_t> drawn,
                                    const std::function<bool(std::uint32_t row)>& open) const;

 private:
  AuditOptions options_;
  std::vector<std::uint32_t> stratum_of_;
  std::vector<std::vector<std::uint32_t>> orders_;
  std::vector<double> shares_;
};

// A row that a person judged.
struct JudgedRow {
  std::uint32_t row = 0;
  bool wrong = false;
  bool audited = false;  // drawn by the design; else as a suspect, or picked by hand
  // Of a card of the audit: what a model expects that has not seen it; without a number: `model` has not.
  std::optional<double> expected{};
};

struct AuditEstimate {
  double wrong = 0, low = 0, high = 0;  // number of wrong labels among all, 90 % interval
  double undecided_wrong = 0;           // of these, among rows that nobody judged
  std::size_t audited = 0;              // cards that were drawn at random and judged
};

// The number of wrong labels. What was judged as a suspect is known and counts as it is; so do cards of the
// audit in the part of a (given, suggested) pair's ranking that was reviewed from the top (up to the last
// suspect of which nine in ten before it are judged). The other cards of the audit stand for the rest of
// their stratum: Σ model + N · mean(found − model), the difference estimator, which has no bias whatever the
// model says and little variance where it is right, as long as the model has not learned from the card: that
// is what a card's `expected` is for. `model`: a probability for each row. The interval is Wilson's with as
// many cards as would give this variance. Each row may be judged once.
AuditEstimate estimate_wrong(const ScoreTable& table, const AuditDesign& design,
                             std::span<const double> model, std::span<const JudgedRow> judged);

}  // namespace procsim::curate
