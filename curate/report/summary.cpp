#include "curate/report/summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "curate/evidence/calibration.hpp"
#include "data/measures/intervals.hpp"

namespace procsim::curate {

namespace {

constexpr float kSuspect = 0.5F;

std::optional<double> number(const nlohmann::ordered_json& object, std::initializer_list<const char*> names) {
  for (const auto* name : names)
    if (const auto found = object.find(name); found != object.end() && found->is_number())
      return found->get<double>();
  return std::nullopt;
}

// What the trainer wrote: {"noise_rate": {"rate": …, "low": …, "high": …}}.
std::optional<NoiseEstimate> file_estimate(const nlohmann::ordered_json& estimates) {
  if (!estimates.is_object()) return std::nullopt;
  const auto found = estimates.find("noise_rate");
  if (found == estimates.end()) return std::nullopt;
  NoiseEstimate estimate;
  estimate.method = "scores file";
  const auto& holder = found->is_object() ? *found : estimates;
  const auto rate = found->is_number() ? std::optional(found->get<double>())
                                       : number(*found, {"rate", "estimate", "value"});
  const auto low = number(holder, {"low", "lower", "noise_rate_low"});
  const auto high = number(holder, {"high", "upper", "noise_rate_high"});
  if (!rate || !low || !high || !(0 <= *low && *low <= *rate && *rate <= *high && *high <= 1))
    return std::nullopt;
  estimate.rate = *rate;
  estimate.low = *low;
  estimate.high = *high;
  estimate.leaning = holder.value("leaning", false);
  return estimate;
}

// An entry of the trainer's "by_class" or "by_pair": {…, "wrong": 12.5, "low": 8, "high": 18}.
std::optional<ExpectedErrors> errors_in(const nlohmann::ordered_json& entry) {
  if (!entry.is_object()) return std::nullopt;
  const auto wrong = number(entry, {"wrong"});
  if (!wrong || !(*wrong >= 0)) return std::nullopt;
  return ExpectedErrors{*wrong, number(entry, {"low"}), number(entry, {"high"})};
}

std::int32_t label_in(const nlohmann::ordered_json& entry, const char* field, const ScoreTable& table) {
  const auto found = entry.find(field);
  if (found == entry.end() || !found->is_number_integer()) return kUnlabelled;
  const auto label = found->get<std::int64_t>();
  const auto classes = static_cast<std::int64_t>(table.info().classes.size());
  return label >= 0 && label < classes ? static_cast<std::int32_t>(label) : kUnlabelled;
}

const nlohmann::ordered_json& list_in(const nlohmann::ordered_json& estimates, const char* name) {
  static const auto none = nlohmann::ordered_json::array();
  if (!estimates.is_object()) return none;
  const auto found = estimates.find(name);
  return found == estimates.end() || !found->is_array() ? none : *found;
}

// Puts the file's estimates in the place of the sums of probabilities.
void take_estimates(const ScoreTable& table, std::vector<ClassCount>& classes,
                    std::unordered_map<std::uint64_t, PairCount>& pairs) {
  for (const auto& entry : list_in(table.info().estimates, "by_class"))
    if (const auto errors = errors_in(entry))
      if (const auto label = label_in(entry, "label", table); label >= 0)
        static_cast<ExpectedErrors&>(classes[static_cast<std::size_t>(label)]) = *errors;
  for (const auto& entry : list_in(table.info().estimates, "by_pair"))
    if (const auto errors = errors_in(entry)) {
      const auto pair =
          pairs.find(pair_key(label_in(entry, "given", table), label_in(entry, "suggested", table)));
      if (pair != pairs.end()) static_cast<ExpectedErrors&>(pair->second) = *errors;
    }
}

// The number of wrong labels is a sum of independent coin tosses when the probabilities are right.
NoiseEstimate mean_probability(const ScoreTable& table) {
  double sum = 0, variance = 0;
  for (const double p : table.p_mislabelled()) {
    sum += p;
    variance += p * (1 - p);
  }
  const double n = std::max<double>(1, static_cast<double>(table.size()));
  const double half = 1.959963984540054 * std::sqrt(variance);
  return {sum / n, std::max(0.0, sum - half) / n, std::min(n, sum + half) / n, "probabilities", 0, false};
}

// `weights`: by class, how the file's estimate changes the sum of the probabilities.
std::vector<FamilyCount> count_families(const ScoreTable& table, const ClassFamilies& families,
                                        std::span<const double> weights) {
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
    const double p = table.p_mislabelled()[i] * weights[static_cast<std::size_t>(table.labels()[i])];
    ++count.samples;
    count.wrong += p;
    if (parent_of_class(table.suggested()[i]) == node) count.within += p;
  }
  std::erase_if(counts, [](const FamilyCount& count) { return count.samples == 0; });
  std::ranges::stable_sort(counts, [](const auto& a, const auto& b) { return a.wrong > b.wrong; });
  return counts;
}

void fill_effort(Summary& summary, const ScoreTable& table, std::span<const std::uint32_t> ranking) {
  std::vector<double> found(ranking.size());
  double total = 0;
  for (std::size_t i = 0; i < ranking.size(); ++i) found[i] = total += table.p_mislabelled()[ranking[i]];
  if (total < 0.5) return;  // not a single label to be found
  for (const double share : {0.5, 0.8, 0.9, 0.95, 0.99}) {
    const auto reached = std::ranges::lower_bound(found, share * total * (1 - 1e-12));
    summary.effort.push_back(
        {share, std::min(ranking.size(), static_cast<std::size_t>(reached - found.begin()) + 1)});
  }
  summary.curve_end = std::min(ranking.size(), std::max<std::size_t>(100, summary.effort.back().review));
  constexpr std::size_t kSteps = 100;
  for (std::size_t step = 0; step <= kSteps; ++step) {
    const auto reviewed = summary.curve_end * step / kSteps;
    summary.curve.push_back(reviewed == 0 ? 0 : found[reviewed - 1] / total);
  }
}

}  // namespace

std::optional<NoiseEstimate> audit_estimate(const ScoreTable& table, const DecisionLog& decisions) {
  std::size_t judged = 0, wrong = 0;
  for (const auto& [sample, opinions] : decisions.audits()) {
    const auto index = table.find(sample);
    if (!index) continue;
    const auto outcome = settle(opinions, table.labels()[*index], 1);
    if (!outcome.settled || outcome.opinion.verdict == Verdict::kAmbiguous) continue;
    ++judged;
    if (outcome.opinion.verdict != Verdict::kKeep) ++wrong;
  }
  if (judged < kLeastAudits) return std::nullopt;
  const auto interval = wilson_interval(wrong, judged);
  return NoiseEstimate{static_cast<double>(wrong) / static_cast<double>(judged), interval.low, interval.high,
                       "audit", judged};
}

Summary summarize(const ScoreTable& table, std::span<const std::uint32_t> ranking,
                  const ClassFamilies& families, const DecisionLog& decisions) {
  Summary summary;
  summary.samples = table.size();
  if (const auto audited = audit_estimate(table, decisions))
    summary.noise = *audited;
  else if (const auto stored = file_estimate(table.info().estimates))
    summary.noise = *stored;
  else
    summary.noise = mean_probability(table);

  std::vector<ClassCount> classes(table.info().classes.size());
  std::unordered_map<std::uint64_t, PairCount> pairs;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto given = table.labels()[i], suggested = table.suggested()[i];
    const float p = table.p_mislabelled()[i];
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
  take_estimates(table, classes, pairs);
  for (std::size_t i = 0; i < weights.size(); ++i)
    weights[i] = weights[i] > 0 ? classes[i].wrong / weights[i] : 1;
  summary.kinship.assign(5, 0);
  for (auto& [key, pair] : pairs) {
    pair.relation = families.relation(pair.given, pair.suggested);
    summary.kinship[static_cast<std::size_t>(pair.relation.kinship)] += pair.suspects;
    summary.pairs.push_back(pair);
  }
  std::erase_if(classes, [](const ClassCount& count) { return count.samples == 0; });
  std::ranges::stable_sort(classes, [](const auto& a, const auto& b) { return a.wrong > b.wrong; });
  std::ranges::sort(summary.pairs, [](const auto& a, const auto& b) {
    if (a.wrong != b.wrong) return a.wrong > b.wrong;
    return pair_key(a.given, a.suggested) < pair_key(b.given, b.suggested);
  });
  summary.classes = std::move(classes);
  if (families.known()) summary.families = count_families(table, families, weights);
  fill_effort(summary, table, ranking);
  return summary;
}

}  // namespace procsim::curate
