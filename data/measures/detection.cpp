#include "data/measures/detection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "data/measures/intervals.hpp"

namespace procsim {

namespace {

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double covariance(std::span<const double> a, std::span<const double> b) {
  if (a.size() < 2) return 0;
  const double mean_a = mean(a), mean_b = mean(b);
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - mean_a) * (b[i] - mean_b);
  return sum / static_cast<double>(a.size() - 1);
}

// DeLong's structural components: for each wrong label the share of right ones below it, and the other way
// round.
struct Placements {
  std::vector<double> of_wrong, of_right;
};

Placements placements(std::span<const double> scores, std::span<const std::uint8_t> wrong) {
  std::vector<double> wrong_scores, right_scores;
  for (std::size_t i = 0; i < scores.size(); ++i)
    (wrong[i] ? wrong_scores : right_scores).push_back(scores[i]);
  const auto all = midranks(scores), among_wrong = midranks(wrong_scores),
             among_right = midranks(right_scores);
  const auto n_wrong = static_cast<double>(wrong_scores.size()),
             n_right = static_cast<double>(right_scores.size());
  Placements result;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (wrong[i])
      result.of_wrong.push_back((all[i] - among_wrong[result.of_wrong.size()]) / n_right);
    else
      result.of_right.push_back(1 - (all[i] - among_right[result.of_right.size()]) / n_wrong);
  }
  return result;
}

}  // namespace

std::vector<double> midranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> ranks(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    auto end = begin + 1;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const double rank = static_cast<double>(begin + 1 + end) / 2;
    for (auto i = begin; i < end; ++i) ranks[order[i]] = rank;
    begin = end;
  }
  return ranks;
}

std::vector<std::size_t> descending_order(std::span<const double> scores) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  return order;
}

std::optional<double> auroc(std::span<const double> scores, std::span<const std::uint8_t> wrong) {
  const auto positives = static_cast<double>(std::ranges::count_if(wrong, [](auto w) { return w != 0; }));
  const auto negatives = static_cast<double>(wrong.size()) - positives;
  if (positives == 0 || negatives == 0) return std::nullopt;
  const auto ranks = midranks(scores);
  double sum = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    if (wrong[i]) sum += ranks[i];
  return (sum - positives * (positives + 1) / 2) / (positives * negatives);
}

std::optional<double> average_precision(std::span<const double> scores, std::span<const std::uint8_t> wrong) {
  const auto positives = static_cast<double>(std::ranges::count_if(wrong, [](auto w) { return w != 0; }));
  if (positives == 0) return std::nullopt;
  const auto order = descending_order(scores);
  double area = 0, found = 0;
  for (std::size_t begin = 0; begin < order.size();) {
    auto end = begin;
    double here = 0;
    for (; end < order.size() && scores[order[end]] == scores[order[begin]]; ++end)
      here += wrong[order[end]] ? 1 : 0;
    found += here;
    area += here / positives * (found / static_cast<double>(end));
    begin = end;
  }
  return area;
}

std::vector<AtRank> precision_recall_at(std::span<const std::uint8_t> ranked_wrong,
                                        std::span<const std::size_t> ranks) {
  std::vector<std::size_t> found(ranked_wrong.size() + 1, 0);
  for (std::size_t i = 0; i < ranked_wrong.size(); ++i) found[i + 1] = found[i] + (ranked_wrong[i] ? 1 : 0);
  std::vector<AtRank> result;
  for (auto k : ranks) {
    k = std::min(k, ranked_wrong.size());
    if (k == 0) continue;
    const auto hits = static_cast<double>(found[k]);
    result.push_back(
        {k, hits / static_cast<double>(k), found.back() ? hits / static_cast<double>(found.back()) : 0});
  }
  return result;
}

std::vector<ReliabilityBin> reliability(std::span<const double> probabilities,
                                        std::span<const std::uint8_t> wrong, std::size_t bins) {
  std::vector<ReliabilityBin> all(bins);
  const double width = 1.0 / static_cast<double>(bins);
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    std::size_t bin = 0;
    while (bin + 1 < bins && static_cast<double>(bin + 1) * width < probabilities[i]) ++bin;
    all[bin].count += 1;
    all[bin].predicted += probabilities[i];
    all[bin].observed += wrong[i] ? 1 : 0;
  }
  std::vector<ReliabilityBin> filled;
  for (std::size_t i = 0; i < bins; ++i) {
    auto bin = all[i];
    if (bin.count == 0) continue;
    bin.low = static_cast<double>(i) / static_cast<double>(bins);
    bin.high = static_cast<double>(i + 1) / static_cast<double>(bins);
    bin.predicted /= static_cast<double>(bin.count);
    bin.observed /= static_cast<double>(bin.count);
    filled.push_back(bin);
  }
  return filled;
}

double expected_calibration_error(std::span<const ReliabilityBin> bins) {
  double sum = 0, count = 0;
  for (const auto& bin : bins) {
    sum += static_cast<double>(bin.count) * std::abs(bin.observed - bin.predicted);
    count += static_cast<double>(bin.count);
  }
  return count == 0 ? 0 : sum / count;
}

double brier_score(std::span<const double> probabilities, std::span<const std::uint8_t> wrong) {
  double sum = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    const double error = probabilities[i] - (wrong[i] ? 1 : 0);
    sum += error * error;
  }
  return probabilities.empty() ? 0 : sum / static_cast<double>(probabilities.size());
}

std::optional<AurocDifference> compare_auroc(std::span<const double> first, std::span<const double> second,
                                             std::span<const std::uint8_t> wrong) {
  if (!auroc(first, wrong)) return std::nullopt;
  const auto a = placements(first, wrong), b = placements(second, wrong);
  AurocDifference result;
  result.first = mean(a.of_wrong);
  result.second = mean(b.of_wrong);
  result.difference = result.second - result.first;
  const auto spread = [](std::span<const double> x, std::span<const double> y) {
    return (covariance(x, x) + covariance(y, y) - 2 * covariance(x, y)) / static_cast<double>(x.size());
  };
  const double variance = spread(a.of_wrong, b.of_wrong) + spread(a.of_right, b.of_right);
  const double deviation = std::sqrt(std::max(variance, 0.0));
  result.low = result.difference - kNormal975 * deviation;
  result.high = result.difference + kNormal975 * deviation;
  if (deviation > 0)
    result.p_value = std::erfc(std::abs(result.difference) / deviation / std::sqrt(2.0));
  else
    result.p_value = result.difference == 0 ? 1 : 0;
  return result;
}

std::optional<double> spearman(std::span<const double> first, std::span<const double> second) {
  const auto a = midranks(first), b = midranks(second);
  const double scale = std::sqrt(covariance(a, a) * covariance(b, b));
  if (!(scale > 0)) return std::nullopt;
  return covariance(a, b) / scale;
}

DetectionRanking rank_detection(std::span<const double> scores, std::span<const std::uint8_t> wrong) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  DetectionRanking ranking{auroc(scores, wrong).value_or(kUnknown),
                           average_precision(scores, wrong).value_or(kUnknown), kUnknown};
  const auto errors = static_cast<std::size_t>(std::ranges::count_if(wrong, [](auto w) { return w != 0; }));
  if (errors == 0) return ranking;
  const auto order = descending_order(scores);
  const auto top =
      std::ranges::count_if(std::span(order).first(errors), [&](std::size_t i) { return wrong[i] != 0; });
  ranking.precision_at_errors = share(top, static_cast<std::int64_t>(errors));
  return ranking;
}

void DetectionCounts::add(bool is_accused, bool is_wrong) {
  accused += is_accused ? 1 : 0;
  wrong += is_wrong ? 1 : 0;
  both += is_accused && is_wrong ? 1 : 0;
}

double DetectionCounts::precision() const { return share(both, accused); }
double DetectionCounts::recall() const { return share(both, wrong); }
double DetectionCounts::f1() const { return share(2 * both, accused + wrong); }

}  // namespace procsim
