#include "curate/evidence/audit.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "curate/evidence/calibration.hpp"
#include "data/base/keyed_random.hpp"
#include "data/measures/intervals.hpp"

namespace procsim::curate {

namespace {

constexpr double kReviewedShare = 0.9;  // of a prefix of a pair's ranking, to count as reviewed

double deviation(double probability, const AuditOptions& options) {
  const double p = std::clamp(probability, options.least_probability, 1 - options.least_probability);
  return std::sqrt(p * (1 - p));
}

enum class Judgement : std::uint8_t { kNone, kRight, kWrong, kAuditRight, kAuditWrong };

bool is_audit(Judgement judgement) { return judgement >= Judgement::kAuditRight; }
bool is_wrong(Judgement judgement) {
  return judgement == Judgement::kWrong || judgement == Judgement::kAuditWrong;
}

// Rows that lie in the reviewed part of their pair's ranking.
std::vector<bool> reviewed_rows(const ScoreTable& table, std::span<const Judgement> judgements) {
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> lines;
  for (const auto row : table.ranking())
    lines[pair_key(table.labels()[row], table.suggested()[row])].push_back(row);
  std::vector<bool> reviewed(table.size(), false);
  for (const auto& [pair, rows] : lines) {
    std::size_t known = 0, end = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto judgement = judgements[rows[i]];
      known += judgement != Judgement::kNone ? 1 : 0;
      const bool suspect = judgement != Judgement::kNone && !is_audit(judgement);
      if (suspect && static_cast<double>(known) >= kReviewedShare * static_cast<double>(i + 1)) end = i + 1;
    }
    for (std::size_t i = 0; i < end; ++i) reviewed[rows[i]] = true;
  }
  return reviewed;
}

struct Stratum {
  std::size_t rows = 0, cards = 0;
  double model = 0, model_variance = 0;  // sums over the rows
  double residual = 0, squares = 0;      // sums over the cards
};

}  // namespace

AuditDesign::AuditDesign(const ScoreTable& table, std::uint64_t seed, AuditOptions options)
    : options_(options), stratum_of_(table.size()) {
  auto rows = table.ranking();
  std::ranges::reverse(rows);
  double total = 0;
  for (const auto row : rows) total += deviation(table.p_mislabelled()[row], options_);
  orders_.resize(std::max<std::size_t>(1, std::min(options_.strata, table.size())));
  std::vector<double> deviations(orders_.size(), 0);
  double sum = 0;
  for (const auto row : rows) {
    const double own = deviation(table.p_mislabelled()[row], options_);
    const auto place =
        static_cast<std::size_t>((sum + own / 2) / total * static_cast<double>(orders_.size()));
    const auto stratum = std::min(place, orders_.size() - 1);
    sum += own;
    stratum_of_[row] = static_cast<std::uint32_t>(stratum);
    deviations[stratum] += own;
    orders_[stratum].push_back(row);
  }
  for (std::size_t i = 0; i < orders_.size(); ++i)
    shares_.push_back(table.size() == 0
                          ? 1
                          : options_.neyman_share * deviations[i] / total +
                                (1 - options_.neyman_share) * static_cast<double>(orders_[i].size()) /
                                    static_cast<double>(table.size()));
  const KeyedRandom random(seed, "curate audit");
  std::vector<std::uint64_t> keys(table.size());
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = random.for_id(table.sample_ids()[i]).next_bits();
  for (auto& order : orders_)
    std::ranges::sort(order, [&](auto a, auto b) { return std::pair(keys[a], a) < std::pair(keys[b], b); });
}

std::optional<std::uint32_t> AuditDesign::next(std::span<const std::size_t> drawn,
                                               const std::function<bool(std::uint32_t)>& open) const {
  std::vector<std::uint32_t> strata(orders_.size());
  for (std::uint32_t i = 0; i < strata.size(); ++i) strata[i] = i;
  std::ranges::stable_sort(strata, {}, [&](std::uint32_t stratum) {
    return shares_[stratum] > 0 ? static_cast<double>(drawn[stratum] + 1) / shares_[stratum] : 1e300;
  });
  for (const auto stratum : strata)
    for (const auto row : orders_[stratum])
      if (open(row)) return row;
  return std::nullopt;
}

AuditEstimate estimate_wrong(const ScoreTable& table, const AuditDesign& design,
                             std::span<const double> model, std::span<const JudgedRow> judged) {
  AuditEstimate estimate;
  std::vector<Judgement> judgements(table.size(), Judgement::kNone);
  std::unordered_map<std::uint32_t, double> expected;
  for (const auto& each : judged) {
    if (each.expected) expected[each.row] = *each.expected;
    judgements[each.row] = each.audited ? (each.wrong ? Judgement::kAuditWrong : Judgement::kAuditRight)
                                        : (each.wrong ? Judgement::kWrong : Judgement::kRight);
    estimate.audited += each.audited ? 1 : 0;
  }
  const auto reviewed = reviewed_rows(table, judgements);
  std::vector<Stratum> strata(design.strata());
  double known = 0, passed_over = 0, variance = 0;
  for (std::uint32_t row = 0; row < table.size(); ++row) {
    const auto judgement = judgements[row];
    const double p = model[row];
    if (judgement != Judgement::kNone && (reviewed[row] || !is_audit(judgement))) {
      known += is_wrong(judgement) ? 1 : 0;
    } else if (reviewed[row]) {  // skipped, or nobody could tell
      passed_over += p;
      variance += p * (1 - p);
    } else {
      auto& stratum = strata[design.stratum(row)];
      ++stratum.rows;
      stratum.model += p;
      stratum.model_variance += p * (1 - p);
      if (judgement == Judgement::kNone) continue;
      const auto blind = expected.find(row);
      const double error = (is_wrong(judgement) ? 1 : 0) - (blind == expected.end() ? p : blind->second);
      ++stratum.cards;
      stratum.residual += error;
      stratum.squares += error * error;
    }
  }
  double rest = 0, rows = 0;
  for (const auto& stratum : strata) {
    if (stratum.rows == 0) continue;
    const auto size = static_cast<double>(stratum.rows), cards = static_cast<double>(stratum.cards);
    const double weight = design.options().model_weight;
    rows += size;
    rest += stratum.model + (cards > 0 ? size * stratum.residual / cards : 0);
    const double spread = (stratum.squares + weight * stratum.model_variance / size) / (cards + weight) *
                          (cards > 1 ? cards / (cards - 1) : 1);
    variance += size * size * (1 - cards / size) * spread / std::max(1.0, cards);
  }
  estimate.wrong = known + passed_over;
  estimate.low = estimate.high = estimate.wrong;
  if (rows > 0) {
    rest = std::clamp(rest, 0.0, rows);
    // Wilson's interval needs a share that is neither 0 nor 1 to know what a card is worth.
    const double share = std::clamp(rest / rows, 0.5 / (rows + 1), 1 - 0.5 / (rows + 1));
    const double square = kNormal95 * kNormal95;
    const double worth = variance > 0 ? share * (1 - share) * rows * rows / variance : 1e300;
    const double middle = (share + square / (2 * worth)) / (1 + square / worth);
    const double half = kNormal95 * std::sqrt(share * (1 - share) / worth + square / (4 * worth * worth)) /
                        (1 + square / worth);
    estimate.low += std::clamp(rows * (middle - half), 0.0, rest);
    estimate.high += std::clamp(rows * (middle + half), rest, rows);
    estimate.wrong += rest;
  }
  double seen_wrong = 0;  // a label that was seen to be wrong is no matter of estimation
  for (const auto& each : judged) seen_wrong += each.wrong ? 1 : 0;
  estimate.wrong = std::max(estimate.wrong, seen_wrong);
  estimate.low = std::max(estimate.low, seen_wrong);
  estimate.high = std::max(estimate.high, estimate.wrong);
  estimate.undecided_wrong = estimate.wrong - seen_wrong;
  return estimate;
}

}  // namespace procsim::curate
