#include "data/noise_model/noise_estimates.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "data/measures/intervals.hpp"

namespace procsim {
namespace {

// Reproducible text: six digits say all there is to say.
double rounded(double value) { return std::round(value * 1e6) / 1e6; }

WrongCount interval(const PairBeliefs::Sum& sum, double samples, double doubt, double labels,
                    const EstimateOptions& options) {
  const double spread =
      std::sqrt(sum.variance + std::pow(doubt * (1 + options.few_labels / labels) * sum.ambiguous, 2));
  const double half = kNormal95 * spread + options.floor * samples;
  return {sum.wrong, std::max(0.0, sum.wrong - half), std::min(samples, sum.wrong + half)};
}

WrongCount class_interval(const PairBeliefs::Sum& sum, std::int64_t size, const EstimateOptions& options) {
  const auto labels = static_cast<double>(size);
  return interval(sum, labels, options.class_doubt, labels, options);
}

void add_to(PairBeliefs::Sum& sum, double probability) {
  sum.wrong += probability;
  sum.variance += probability * (1 - probability);
  sum.ambiguous += std::min(probability, 1 - probability);
}

WrongCount rounded(const WrongCount& count) {
  return {rounded(count.wrong), rounded(count.low), rounded(count.high)};
}

std::vector<PairEstimate> pair_estimates(std::span<const std::int32_t> labels,
                                         std::span<const std::int64_t> class_sizes,
                                         std::span<const PairBeliefs::Sum> by_class, const PairBeliefs& pairs,
                                         const EstimateOptions& options) {
  struct Pair {
    std::int64_t given, believed;
    WrongCount count;
  };
  // Beliefs by pair were added up before the probabilities were settled: no class's pairs hold more errors
  // than the class.
  std::vector<double> all(by_class.size(), 0);
  for (const auto& [key, sum] : pairs.sums())
    all[static_cast<std::size_t>(key / pairs.classes())] += sum.wrong;
  std::vector<Pair> list;
  for (const auto& [key, sum] : pairs.sums()) {
    const auto given = static_cast<std::size_t>(key / pairs.classes());
    const double part = all[given] > by_class[given].wrong ? by_class[given].wrong / all[given] : 1;
    if (part * sum.wrong < options.least_pair) continue;
    list.push_back({key / pairs.classes(), key % pairs.classes(),
                    class_interval({part * sum.wrong, part * sum.variance, part * sum.ambiguous},
                                   class_sizes[given], options)});
  }
  std::sort(list.begin(), list.end(), [](const Pair& a, const Pair& b) {
    if (a.count.wrong != b.count.wrong) return a.count.wrong > b.count.wrong;
    return std::pair(a.given, a.believed) < std::pair(b.given, b.believed);
  });
  list.resize(std::min(list.size(), static_cast<std::size_t>(options.most_pairs)));
  std::vector<PairEstimate> estimates;
  for (const auto& pair : list)
    estimates.push_back({labels[static_cast<std::size_t>(pair.given)],
                         labels[static_cast<std::size_t>(pair.believed)], rounded(pair.count)});
  return estimates;
}

}  // namespace

void PairBeliefs::add(std::int64_t given, std::int64_t believed, double belief) {
  if (belief < least_) return;
  add_to(sums_[given * classes_ + believed], belief);
}

WrongCount count_wrong(std::span<const double> probabilities, std::int64_t classes,
                       const EstimateOptions& options) {
  PairBeliefs::Sum sum;
  for (const double probability : probabilities) add_to(sum, probability);
  const auto samples = static_cast<double>(probabilities.size());
  return interval(sum, samples, options.doubt, samples / static_cast<double>(classes), options);
}

ScoreEstimates noise_estimates(std::span<const std::int32_t> labels, std::span<const std::int64_t> given,
                               std::span<const ScoreRow> rows, const PairBeliefs& pairs,
                               const EstimateOptions& options) {
  std::vector<double> all;
  std::vector<PairBeliefs::Sum> by_class(labels.size());
  std::vector<std::int64_t> sizes(labels.size(), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto c = static_cast<std::size_t>(given[i]);
    all.push_back(rows[i].p_mislabelled);
    add_to(by_class[c], rows[i].p_mislabelled);
    ++sizes[c];
  }
  const auto total = count_wrong(all, static_cast<std::int64_t>(labels.size()), options);
  const auto samples = static_cast<double>(rows.size());
  ScoreEstimates estimates;
  estimates.noise_rate = {rounded(total.wrong / samples), rounded(total.low / samples),
                          rounded(total.high / samples)};
  for (std::size_t c = 0; c < by_class.size(); ++c)
    estimates.by_class.push_back({labels[c], rounded(class_interval(by_class[c], sizes[c], options))});
  estimates.by_pair = pair_estimates(labels, sizes, by_class, pairs, options);
  return estimates;
}

}  // namespace procsim
