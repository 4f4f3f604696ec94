#include "train/scoring/ensemble.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

namespace procsim::train {
namespace {

// Nobody has seen another sample of the class: what is left is how often labels are wrong at all.
void trust_rate(const NoiseFit& judge, std::int64_t own, ClassShares& shares, ClassBeliefs& beliefs) {
  const double rate = judge.noise.class_rate[static_cast<std::size_t>(own)];
  double sum = std::accumulate(shares.kept.begin(), shares.kept.end(), shares.rest);
  if (sum <= 0) sum = 1;
  for (std::size_t k = 0; k < beliefs.kept.size(); ++k) {
    shares.kept[k] *= rate / sum;
    beliefs.kept[k] = shares.kept[k];
  }
  shares.given = beliefs.given = 1 - rate;
}

// Probabilities of the given class and of the classes of `pool`, from those of two predictions.
void pool_probabilities(const ClassPrediction& one, const ClassPrediction& other,
                        double ClassPrediction::* given, std::vector<double> ClassPrediction::* listed,
                        double unnamed, ClassPrediction& pool) {
  const auto geometric_mean = [&](double a, double b) {
    return std::sqrt(std::max(a, unnamed) * std::max(b, unnamed));
  };
  const auto of = [&](const ClassPrediction& prediction, std::int32_t c) {
    const auto place = std::lower_bound(prediction.classes.begin(), prediction.classes.end(), c);
    return place != prediction.classes.end() && *place == c
               ? (prediction.*listed)[static_cast<std::size_t>(place - prediction.classes.begin())]
               : 0;
  };
  const auto rest_of = [&](const ClassPrediction& prediction) {
    return 1 - std::accumulate((prediction.*listed).begin(), (prediction.*listed).end(), prediction.*given);
  };
  pool.*given = geometric_mean(one.*given, other.*given);
  double sum = pool.*given + geometric_mean(rest_of(one), rest_of(other));
  for (const auto c : pool.classes) {
    (pool.*listed).push_back(geometric_mean(of(one, c), of(other, c)));
    sum += (pool.*listed).back();
  }
  pool.*given /= sum;
  for (auto& value : pool.*listed) value /= sum;
}

}  // namespace

Ensemble::Ensemble(std::span<const CrossFit> rounds)
    : rounds_(rounds),
      share_(static_cast<std::size_t>(rounds.front().scores.classes)),
      belief_(share_.size()) {}

ClassPrediction Ensemble::prediction_of(std::int64_t sample, std::int64_t own) {
  ClassPrediction prediction;
  const double weight = 1.0 / static_cast<double>(rounds_.size());
  for (const auto& fit : rounds_) {
    const auto fold = static_cast<std::size_t>(fit.plan.fold[static_cast<std::size_t>(sample)]);
    const auto& judge = fit.fold_fits[fold];
    judge.shares(fit.scores, sample, own, shares_);
    auto beliefs = judge.beliefs(fit.scores, sample, own, fit.fold_distances[fold], shares_);
    if (std::isnan(fit.scores.given[static_cast<std::size_t>(sample)]))
      trust_rate(judge, own, shares_, beliefs);
    else
      prediction.known = true;
    prediction.given_share += weight * shares_.given;
    prediction.given_belief += weight * beliefs.given;
    const auto candidates = fit.scores.candidates_of(sample);
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      if (candidates[k] == own) continue;
      const auto c = static_cast<std::size_t>(candidates[k]);
      if (share_[c] == 0) prediction.classes.push_back(candidates[k]);
      share_[c] += std::max(weight * shares_.kept[k], 1e-300);
      belief_[c] += weight * beliefs.kept[k];
    }
  }
  std::sort(prediction.classes.begin(), prediction.classes.end());
  for (const auto c : prediction.classes) {
    prediction.share.push_back(std::exchange(share_[static_cast<std::size_t>(c)], 0));
    prediction.belief.push_back(std::exchange(belief_[static_cast<std::size_t>(c)], 0));
  }
  return prediction;
}

std::int32_t Ensemble::fold_of(std::int64_t sample) const {
  return rounds_.front().plan.fold[static_cast<std::size_t>(sample)];
}

ClassPrediction pooled(const ClassPrediction& one, const ClassPrediction& other,
                       const PoolingOptions& options) {
  ClassPrediction pool;
  std::set_union(one.classes.begin(), one.classes.end(), other.classes.begin(), other.classes.end(),
                 std::back_inserter(pool.classes));
  pool_probabilities(one, other, &ClassPrediction::given_share, &ClassPrediction::share, options.unnamed,
                     pool);
  pool_probabilities(one, other, &ClassPrediction::given_belief, &ClassPrediction::belief, options.unnamed,
                     pool);
  pool.known = one.known || other.known;
  return pool;
}

}  // namespace procsim::train
