#include "train/scoring/opinions.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

namespace procsim::train {
namespace {

constexpr double kUnnamed = 1e-7;  // what is left for a class that an opinion does not name

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

double geometric_mean(double a, double b) { return std::sqrt(std::max(a, kUnnamed) * std::max(b, kUnnamed)); }

// Probabilities of the given class and of the classes of `pool`, from those of two opinions.
void pool_probabilities(const ClassOpinion& one, const ClassOpinion& other, double ClassOpinion::* given,
                        std::vector<double> ClassOpinion::* listed, ClassOpinion& pool) {
  const auto of = [&](const ClassOpinion& opinion, std::int32_t c) {
    const auto place = std::lower_bound(opinion.classes.begin(), opinion.classes.end(), c);
    return place != opinion.classes.end() && *place == c
               ? (opinion.*listed)[static_cast<std::size_t>(place - opinion.classes.begin())]
               : 0;
  };
  const auto rest_of = [&](const ClassOpinion& opinion) {
    return 1 - std::accumulate((opinion.*listed).begin(), (opinion.*listed).end(), opinion.*given);
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

Panel::Panel(std::span<const CrossFit> rounds)
    : rounds_(rounds),
      share_(static_cast<std::size_t>(rounds.front().scores.classes)),
      belief_(share_.size()) {}

ClassOpinion Panel::opinion_of(std::int64_t sample, std::int64_t own) {
  ClassOpinion opinion;
  const double weight = 1.0 / static_cast<double>(rounds_.size());
  for (const auto& fit : rounds_) {
    const auto fold = static_cast<std::size_t>(fit.plan.fold[static_cast<std::size_t>(sample)]);
    const auto& judge = fit.fold_fits[fold];
    judge.shares(fit.scores, sample, own, shares_);
    auto beliefs = judge.beliefs(fit.scores, sample, own, fit.fold_climbs[fold], shares_);
    if (std::isnan(fit.scores.given[static_cast<std::size_t>(sample)]))
      trust_rate(judge, own, shares_, beliefs);
    else
      opinion.known = true;
    opinion.given_share += weight * shares_.given;
    opinion.given_belief += weight * beliefs.given;
    const auto candidates = fit.scores.candidates_of(sample);
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      if (candidates[k] == own) continue;
      const auto c = static_cast<std::size_t>(candidates[k]);
      if (share_[c] == 0) opinion.classes.push_back(candidates[k]);
      share_[c] += std::max(weight * shares_.kept[k], 1e-300);
      belief_[c] += weight * beliefs.kept[k];
    }
  }
  std::sort(opinion.classes.begin(), opinion.classes.end());
  for (const auto c : opinion.classes) {
    opinion.share.push_back(std::exchange(share_[static_cast<std::size_t>(c)], 0));
    opinion.belief.push_back(std::exchange(belief_[static_cast<std::size_t>(c)], 0));
  }
  return opinion;
}

std::int32_t Panel::fold_of(std::int64_t sample) const {
  return rounds_.front().plan.fold[static_cast<std::size_t>(sample)];
}

ClassOpinion pooled(const ClassOpinion& one, const ClassOpinion& other) {
  ClassOpinion pool;
  std::set_union(one.classes.begin(), one.classes.end(), other.classes.begin(), other.classes.end(),
                 std::back_inserter(pool.classes));
  pool_probabilities(one, other, &ClassOpinion::given_share, &ClassOpinion::share, pool);
  pool_probabilities(one, other, &ClassOpinion::given_belief, &ClassOpinion::belief, pool);
  pool.known = one.known || other.known;
  return pool;
}

}  // namespace procsim::train
