#include "curate/report/summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "curate/evidence/calibration.hpp"
#include "data/measures/intervals.hpp"

namespace procsim::curate {

namespace {

constexpr double kSuspect = 0.5;
constexpr double kFarApart = 0.05;  // of the labels: an interval that is narrower asks for no audit any more

ExpectedErrors expected(const WrongCount& count) { return {count.wrong, count.low, count.high}; }

// Puts the file's estimates in the place of the sums of probabilities.
void take_estimates(const ScoreEstimates& estimates, std::vector<ClassCount>& classes,
                    std::unordered_map<std::uint64_t, PairCount>& pairs) {
  for (const auto& estimate : estimates.by_class)
    static_cast<ExpectedErrors&>(classes.at(static_cast<std::size_t>(estimate.label))) =
        expected(estimate.count);
  for (const auto& estimate : estimates.by_pair)
    if (const auto pair = pairs.find(pair_key(estimate.given, estimate.suggested)); pair != pairs.end())
      static_cast<ExpectedErrors&>(pair->second) = expected(estimate.count);
}

NoiseEstimate of_scores_file(const WrongRate& rate) {
  return {rate.rate, rate.low, rate.high, EstimateMethod::kScoresFile, 0, rate.leaning, rate.audit_decides};
}

// The number of wrong labels is a sum of independent coin tosses when the probabilities are right.
NoiseEstimate mean_probability(std::span<const double> wrong) {
  double sum = 0, variance = 0;
  for (const double p : wrong) {
    sum += p;
    variance += p * (1 - p);
  }
  const double n = std::max<double>(1, static_cast<double>(wrong.size()));
  const double half = kNormal975 * std::sqrt(variance);
  return {
      sum / n, std::max(0.0, sum - half) / n, std::min(n, sum + half) / n, EstimateMethod::kProbabilities, 0,
      false};
}

// The features like another class better than the given one.
bool disagrees(const ScoreRow& row) {
  return std::ranges::any_of(row.rivals,
                             [&](const RivalClass& rival) { return rival.probability > row.p_given; });
}

// What was found, and the rest as calibrated by it, which spreads like coin tosses. Downwards it is known no
// better than all labels were before: stretched where the calibration raised it. Upwards nothing is
// stretched: of the number of wrong labels that there can be (with two readings: all that features and labels
// disagree on) what was judged is taken off, and the rest may be wrong.
NoiseEstimate of_decisions(const NoiseEstimate& before, const ScoreTable& table, const Findings& findings) {
  const auto& estimates = table.info().estimates;
  const bool two_readings = estimates && estimates->noise_rate.readings;
  double rest = 0, rest_before = 0, variance = 0, rows = 0, disagreed = 0;
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    if (findings.judged[i]) {
      disagreed += two_readings && disagrees(table.row(i)) ? 1 : 0;
      continue;
    }
    const double p = findings.wrong[i];
    rest += p;
    rest_before += table.p_mislabelled()[i];
    variance += p * (1 - p);
    ++rows;
  }
  const auto n = static_cast<double>(table.size()), known = static_cast<double>(findings.confirmed);
  const double stretch = rest_before > 0 ? std::clamp(rest / rest_before, 1.0, 10.0) : 1;
  const double chance = kNormal95 * std::sqrt(variance), doubt = (before.rate - before.low) * rows;
  const double low = std::max(0.0, rest - doubt * stretch - chance);
  const double left = before.high * n - (two_readings ? disagreed : known);
  const double high = std::min(rows, std::max(rest + doubt + chance, left));
  return {(known + rest) / n, (known + low) / n, (known + high) / n, EstimateMethod::kDecisions, 0,
          before.leaning,
          // What was suspected is judged, not which reading holds of the rest.
          before.audit_decides && high - low > kFarApart * n};
}

NoiseEstimate noise_rate(const ScoreTable& table, const Findings& findings) {
  if (findings.audit) return noise_of_audit(*findings.audit, table.size());
  const auto& estimates = table.info().estimates;
  const auto before = estimates ? of_scores_file(estimates->noise_rate) : mean_probability(findings.wrong);
  return findings.any() ? of_decisions(before, table, findings) : before;
}

// `weights`: by class, how the file's estimate changes the sum of the probabilities.
std::vector<FamilyCount> count_families(const ScoreTable& table, const ClassFamilies& families,
                                        std::span<const double> wrong, std::span<const double> weights) {
  const auto& nodes = families.tree().nodes;
  std::vector<FamilyCount> counts(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    counts[i].node = static_cast<std::int32_t>(i);
    for (const auto child : nodes[i].children)
      if (nodes[static_cast<std::size_t>(child)].children.empty()) ++counts[i].classes;
  }
  const auto parent_of_class = [&](std::int32_t label) {
    const auto leaf = families.leaf(label);
    return leaf == taxonomy::ClassTree::kNone ? taxonomy::ClassTree::kNone : families.parent(leaf);
  };
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto node = parent_of_class(table.labels()[i]);
    if (node == taxonomy::ClassTree::kNone) continue;
    auto& count = counts[static_cast<std::size_t>(node)];
    const double p = wrong[i] * weights[static_cast<std::size_t>(table.labels()[i])];
    ++count.samples;
    count.wrong += p;
    if (parent_of_class(table.suggested()[i]) == node) count.within += p;
  }
  std::erase_if(counts, [](const FamilyCount& count) { return count.samples == 0; });
  std::ranges::stable_sort(counts, [](const auto& a, const auto& b) { return a.wrong > b.wrong; });
  return counts;
}

// Cards are judged in this order: those that were, then the likeliest errors first.
void fill_effort(Summary& summary, std::span<const std::uint32_t> ranking, const Findings& findings) {
  std::vector<std::uint32_t> order(ranking.begin(), ranking.end());
  if (findings.any())
    std::ranges::stable_sort(order, [&](auto a, auto b) {
      if (findings.judged[a] != findings.judged[b]) return static_cast<bool>(findings.judged[a]);
      return findings.wrong[a] > findings.wrong[b];
    });
  const auto judged = static_cast<std::size_t>(
      std::ranges::count_if(order, [&](auto row) { return static_cast<bool>(findings.judged[row]); }));
  std::vector<double> found(order.size());
  double total = 0;
  for (std::size_t i = 0; i < order.size(); ++i) found[i] = total += findings.wrong[order[i]];
  if (judged < order.size())
    summary.next_hundred =
        found[std::min(order.size(), judged + 100) - 1] - (judged > 0 ? found[judged - 1] : 0);
  if (total < 0.5) return;  // not a single label to be found
  for (const double share : {0.5, 0.8, 0.9, 0.95, 0.99}) {
    const auto reached = std::ranges::lower_bound(found, share * total * (1 - 1e-12));
    const auto cards = std::min(order.size(), static_cast<std::size_t>(reached - found.begin()) + 1);
    summary.effort.push_back({share, std::max(judged, cards)});
  }
  summary.curve_end = std::min(order.size(), std::max<std::size_t>(100, summary.effort.back().review));
  constexpr std::size_t kSteps = 100;
  for (std::size_t step = 0; step <= kSteps; ++step) {
    const auto reviewed = summary.curve_end * step / kSteps;
    summary.curve.push_back(reviewed == 0 ? 0 : found[reviewed - 1] / total);
  }
}

}  // namespace

std::string_view to_string(EstimateMethod method) {
  switch (method) {
    case EstimateMethod::kAudit:
      return "audit";
    case EstimateMethod::kDecisions:
      return "decisions";
    case EstimateMethod::kScoresFile:
      return "scores file";
    case EstimateMethod::kProbabilities:
      break;
  }
  return "probabilities";
}

// 60 cards tell a rate of 2 % to about two points, one of 20 % to about six: what is known better needs none.
bool NoiseEstimate::needs_audit() const {
  return method != EstimateMethod::kAudit && (audit_decides || (high - low > 0.06 && high > 2 * low));
}

NoiseEstimate noise_of_audit(const AuditEstimate& audit, std::size_t samples) {
  const auto n = static_cast<double>(samples);
  return {audit.wrong / n, audit.low / n, audit.high / n, EstimateMethod::kAudit, audit.audited, false};
}

LabelCounts NoiseEstimate::labels_of(std::size_t samples) const {
  const auto n = static_cast<double>(samples);
  return {std::llround(rate * n), std::llround(low * n), std::llround(high * n)};
}

LabelCounts Summary::wrong_labels() const { return noise.labels_of(samples); }

std::optional<std::size_t> Summary::review_for(double share) const {
  const auto found = std::ranges::find(effort, share, &Effort::share);
  return found == effort.end() ? std::nullopt : std::optional(found->review);
}

Summary summarize(const ScoreTable& table, std::span<const std::uint32_t> ranking,
                  const ClassFamilies& families, const DecisionLog& decisions) {
  return summarize(table, ranking, families, find_out(table, decisions, AuditDesign(table, 0)));
}

Summary summarize(const ScoreTable& table, std::span<const std::uint32_t> ranking,
                  const ClassFamilies& families, const Findings& findings) {
  Summary summary;
  summary.samples = table.size();
  summary.judged = findings.judged_count;
  summary.confirmed = findings.confirmed;
  if (table.size() > 0) summary.noise = noise_rate(table, findings);

  if (!table.p_none().empty()) {
    summary.none = static_cast<double>(findings.none);
    for (std::size_t i = 0; i < table.size(); ++i)
      if (!findings.judged[i] && std::isfinite(table.p_none()[i])) *summary.none += table.p_none()[i];
  }

  std::vector<ClassCount> classes(table.info().classes.size());
  std::unordered_map<std::uint64_t, PairCount> pairs;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto given = table.labels()[i], suggested = table.suggested()[i];
    const double p = findings.wrong[i];
    const bool suspect = p >= kSuspect;
    summary.suspects += suspect ? 1 : 0;
    if (given >= 0) {
      auto& count = classes[static_cast<std::size_t>(given)];
      count.label = given;
      ++count.samples;
      count.wrong += p;
      count.suspects += suspect ? 1 : 0;
    }
    if (given < 0 || suggested < 0 || given == suggested) continue;
    auto& pair = pairs[pair_key(given, suggested)];
    pair.given = given;
    pair.suggested = suggested;
    pair.wrong += p;
    pair.suspects += suspect ? 1 : 0;
  }
  std::vector<double> weights;
  for (const auto& count : classes) weights.push_back(count.wrong);
  if (const auto& estimates = table.info().estimates; estimates && !findings.any())
    take_estimates(*estimates, classes, pairs);
  for (std::size_t i = 0; i < weights.size(); ++i)
    weights[i] = weights[i] > 0 ? classes[i].wrong / weights[i] : 1;
  for (auto& [key, pair] : pairs) {
    pair.relation = families.relation(pair.given, pair.suggested);
    summary.suspects_by_kinship[pair.relation.kinship] += pair.suspects;
    summary.pairs.push_back(pair);
  }
  std::erase_if(classes, [](const ClassCount& count) { return count.samples == 0; });
  std::ranges::stable_sort(classes, [](const auto& a, const auto& b) { return a.wrong > b.wrong; });
  std::ranges::sort(summary.pairs, [](const auto& a, const auto& b) {
    if (a.wrong != b.wrong) return a.wrong > b.wrong;
    return pair_key(a.given, a.suggested) < pair_key(b.given, b.suggested);
  });
  summary.classes = std::move(classes);
  if (families.known()) summary.families = count_families(table, families, findings.wrong, weights);
  fill_effort(summary, ranking, findings);
  return summary;
}

}  // namespace procsim::curate
