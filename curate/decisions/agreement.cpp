#include "curate/decisions/agreement.hpp"

#include <algorithm>
#include <set>

namespace procsim::curate {

namespace {

std::optional<double> kappa(double observed, double expected) {
  if (expected >= 1) return std::nullopt;
  return (observed - expected) / (1 - expected);
}

PairAgreement compare(const std::string& first, const std::string& second,
                      const std::map<std::int64_t, Votes>& votes) {
  PairAgreement result;
  result.first = first;
  result.second = second;
  std::map<std::string, std::pair<double, double>> marginals;
  double agreeing = 0;
  for (const auto& [id, by_reviewer] : votes) {
    const auto a = by_reviewer.find(first), b = by_reviewer.find(second);
    if (a == by_reviewer.end() || b == by_reviewer.end()) continue;
    ++result.both;
    agreeing += a->second == b->second ? 1 : 0;
    marginals[a->second].first += 1;
    marginals[b->second].second += 1;
  }
  if (result.both == 0) return result;
  const auto n = static_cast<double>(result.both);
  double expected = 0;
  for (const auto& [category, counts] : marginals) expected += counts.first / n * (counts.second / n);
  result.observed = agreeing / n;
  result.kappa = kappa(result.observed, expected);
  return result;
}

}  // namespace

Agreement agreement(const std::map<std::int64_t, Votes>& votes) {
  Agreement result;
  std::set<std::string> reviewers;
  std::map<std::string, double> totals;
  double all_votes = 0, agreeing_share = 0;
  for (const auto& [id, by_reviewer] : votes) {
    for (const auto& [reviewer, category] : by_reviewer) reviewers.insert(reviewer);
    const auto n = static_cast<double>(by_reviewer.size());
    if (n < 2) continue;
    ++result.shared;
    std::map<std::string, double> counts;
    for (const auto& [reviewer, category] : by_reviewer) counts[category] += 1;
    double pairs = 0;
    for (const auto& [category, count] : counts) {
      pairs += count * (count - 1);
      totals[category] += count;
    }
    all_votes += n;
    agreeing_share += pairs / (n * (n - 1));
    if (counts.size() > 1) result.disputed.push_back(id);
  }
  for (auto first = reviewers.begin(); first != reviewers.end(); ++first)
    for (auto second = std::next(first); second != reviewers.end(); ++second)
      if (auto pair = compare(*first, *second, votes); pair.both > 0) result.pairs.push_back(std::move(pair));
  if (result.shared == 0) return result;
  result.observed = agreeing_share / static_cast<double>(result.shared);
  double expected = 0;
  for (const auto& [category, total] : totals) expected += total / all_votes * (total / all_votes);
  result.fleiss = kappa(result.observed, expected);
  return result;
}

}  // namespace procsim::curate
