#include "train/scoring/label_noise.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace procsim {
namespace {

constexpr double kRateStrength = 1000;   // samples of prior weight: a class's rate shrinks to its family's
constexpr double kPairStrength = 1000;   // errors of prior weight: a pair shrinks to what the tree says
constexpr double kLeastShare = 1e-3;     // of the errors that any step keeps, so that no label is impossible
constexpr double kSparse = 0.08;         // share of the errors that a step must explain to count at all
constexpr int kSparseRound = 6;          // when that is decided: by then the shares have found their order
constexpr double kLeastCurvature = 0.2;  // of the softmax's own, so that a step stays bounded
constexpr double kScaleStep = 0.5;       // of the scale's logarithm, in a round
constexpr double kScaleTolerance = 2e-3;
constexpr double kPairThreshold = 0.02;  // beliefs below it are not counted as errors of a pair

std::uint64_t pair_key(std::int64_t classes, std::int64_t truth, std::int64_t given) {
  return static_cast<std::uint64_t>(truth * classes + given);
}

// Tables that follow from rates and shares.
void tabulate(LabelNoise& noise, const ClassClimbs& climbs) {
  const auto columns = static_cast<std::size_t>(noise.steps) + 1;
  noise.spread.assign(static_cast<std::size_t>(noise.classes) * columns, 0);
  for (std::int64_t c = 0; c < noise.classes; ++c) {
    double* row = noise.spread.data() + static_cast<std::size_t>(c) * columns;
    double sum = 0;
    for (int step = noise.steps; step >= 1; --step) {
      const auto others = climbs.others_below(c, step);
      if (others > 0) sum += noise.step_share[static_cast<std::size_t>(step)] / static_cast<double>(others);
      row[step] = sum;
    }
  }
  const double root = noise.step_share[static_cast<std::size_t>(noise.steps)];
  noise.elsewhere = noise.rate * root / static_cast<double>(std::max<std::int64_t>(1, noise.classes - 1));
}

// Expected errors by class of truth and by step, and the expected number of samples by class.
struct Tally {
  std::vector<double> samples, wrong;  // by class
  std::vector<double> step;            // by step
  std::unordered_map<std::uint64_t, double> pairs;
  double evidence = 0;
  std::int64_t judged = 0;
  // Of the scale: the slope of the evidence, and the variances of the scores under the softmax alone and once
  // the label is known, whose difference is the curvature.
  double slope = 0, prior_variance = 0, posterior_variance = 0;
};

// The samples that can be judged, with the climb to every candidate looked up once.
struct Judged {
  std::vector<std::int64_t> sample;
  std::vector<std::uint8_t> climb;  // judged × width
};

Judged judged_samples(const ClassScores& scores, std::span<const std::int64_t> given,
                      const ClassClimbs& climbs) {
  Judged judged;
  for (std::int64_t i = 0; i < scores.size(); ++i) {
    if (std::isnan(scores.given[static_cast<std::size_t>(i)])) continue;
    judged.sample.push_back(i);
    for (const auto c : scores.candidates_of(i))
      judged.climb.push_back(static_cast<std::uint8_t>(climbs.climb(c, given[static_cast<std::size_t>(i)])));
  }
  return judged;
}

// Beliefs from softmax shares; `climb` holds the climb of every candidate.
void believe(const LabelNoise& noise, const ClassScores& scores, std::int64_t sample, std::int64_t given,
             std::span<const std::uint8_t> climb, const ClassShares& shares, ClassBeliefs& beliefs) {
  const auto candidates = scores.candidates_of(sample);
  beliefs.kept.resize(candidates.size());
  beliefs.given = shares.given * (1 - noise.class_rate[static_cast<std::size_t>(given)]);
  beliefs.rest = shares.rest * noise.transition_from_elsewhere();
  double sum = beliefs.given + beliefs.rest;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const bool counts = climb[k] != 0 && shares.kept[k] > 0;
    beliefs.kept[k] = counts ? shares.kept[k] * noise.transition(candidates[k], given, climb[k]) : 0;
    sum += beliefs.kept[k];
  }
  beliefs.evidence = sum;
  sum = std::max(sum, 1e-300);
  for (auto& belief : beliefs.kept) belief /= sum;
  beliefs.given /= sum;
  beliefs.rest /= sum;
}

// Mean and variance of a sample's scores under its softmax shares and under the beliefs.
void add_moments(const ClassScores& scores, std::int64_t sample, double scale, const ClassShares& shares,
                 const ClassBeliefs& beliefs, Tally& tally) {
  const auto i = static_cast<std::size_t>(sample);
  const auto best = scores.scores_of(sample);
  const double top = best[0];  // scores are taken from it: differences of large numbers cancel
  double prior = 0, prior_square = 0, posterior = 0, posterior_square = 0;
  const auto add = [&](double score, double variance, double share, double belief) {
    prior += share * score;
    prior_square += share * (score * score + variance);
    posterior += belief * score;
    posterior_square += belief * (score * score + variance);
  };
  for (std::size_t k = 0; k < best.size(); ++k)
    if (shares.kept[k] > 0) add(best[k] - top, 0, shares.kept[k], beliefs.kept[k]);
  const double given = scores.given[i] - top;
  add(given, 0, scores.given_at[i] < 0 ? shares.given : 0, beliefs.given);
  if (scores.rest_count[i] > 0)
    add(scores.rest_mean[i] - top + scale * scores.rest_variance[i], scores.rest_variance[i], shares.rest,
        beliefs.rest);
  tally.slope += posterior - prior;
  tally.prior_variance += prior_square - prior * prior;
  tally.posterior_variance += posterior_square - posterior * posterior;
}

enum class CountPairs { kNo, kYes };

Tally expect(const NoiseFit& fit, const ClassScores& scores, std::span<const std::int64_t> given,
             const Judged& judged, CountPairs count_pairs) {
  const auto& noise = fit.noise;
  const auto classes = static_cast<std::size_t>(noise.classes);
  Tally tally{std::vector<double>(classes, 0),
              std::vector<double>(classes, 0),
              std::vector<double>(static_cast<std::size_t>(noise.steps) + 1, 0),
              {},
              0,
              0};
  const auto width = static_cast<std::size_t>(scores.width);
  ClassShares shares;
  ClassBeliefs beliefs;
  for (std::size_t j = 0; j < judged.sample.size(); ++j) {
    const auto i = judged.sample[j];
    const auto own = given[static_cast<std::size_t>(i)];
    const std::span climb(judged.climb.data() + j * width, width);
    softmax_shares(scores, i, fit.scale, shares);
    believe(noise, scores, i, own, climb, shares, beliefs);
    tally.evidence += std::log(std::max(beliefs.evidence, 1e-300));
    add_moments(scores, i, fit.scale, shares, beliefs, tally);
    ++tally.judged;
    tally.samples[static_cast<std::size_t>(own)] += beliefs.given;
    const auto candidates = scores.candidates_of(i);
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      const double belief = beliefs.kept[k];
      if (belief < 1e-9) continue;
      const auto c = static_cast<std::size_t>(candidates[k]);
      tally.samples[c] += belief;
      tally.wrong[c] += belief;
      // Which step an error of this climb took: every step that reaches so far, by its share of the classes.
      const double* row = noise.spread.data() + c * (static_cast<std::size_t>(noise.steps) + 1);
      const double all = row[climb[k]];
      for (int step = climb[k]; step <= noise.steps; ++step) {
        const double part = row[step] - (step < noise.steps ? row[step + 1] : 0);
        tally.step[static_cast<std::size_t>(step)] += belief * (all > 0 ? part / all : 0);
      }
      if (count_pairs == CountPairs::kYes && belief > kPairThreshold)
        tally.pairs[pair_key(noise.classes, candidates[k], own)] += belief;
    }
  }
  return tally;
}

// Rates from the root of the tree down: each node's own errors and samples, with its parent's rate as prior.
std::vector<double> shrunk_rates(const Tally& tally, const ClassClimbs& climbs, double overall) {
  std::vector<double> wrong(climbs.node_count(), 0);
  std::vector<double> samples(climbs.node_count(), 0);
  for (std::int64_t c = 0; c < climbs.classes(); ++c)
    for (const auto node : climbs.chain(c)) {
      wrong[static_cast<std::size_t>(node)] += tally.wrong[static_cast<std::size_t>(c)];
      samples[static_cast<std::size_t>(node)] += tally.samples[static_cast<std::size_t>(c)];
    }
  std::vector<double> rate(climbs.node_count(), overall);
  for (std::size_t node = 1; node < rate.size(); ++node) {
    const double prior = rate[static_cast<std::size_t>(climbs.parent(node))];
    rate[node] = (wrong[node] + kRateStrength * prior) / (samples[node] + kRateStrength);
  }
  std::vector<double> by_class;
  for (std::int64_t c = 0; c < climbs.classes(); ++c)
    by_class.push_back(std::clamp(rate[static_cast<std::size_t>(climbs.chain(c).back())], 1e-6, 0.95));
  return by_class;
}

void maximise(LabelNoise& noise, Tally tally, const ClassClimbs& climbs, std::vector<bool>& dropped,
              int round) {
  double wrong = 0;
  double samples = 0;
  for (std::size_t c = 0; c < tally.wrong.size(); ++c) {
    wrong += tally.wrong[c];
    samples += tally.samples[c];
  }
  noise.rate = std::clamp((wrong + 0.5) / (samples + 1), 1e-6, 0.95);
  noise.class_rate = shrunk_rates(tally, climbs, noise.rate);
  // A step that explains next to nothing explains the classifier's confusions, not errors of labels.
  double kept = 0;
  for (std::size_t step = 1; step < dropped.size(); ++step) {
    if (round == kSparseRound && tally.step[step] < kSparse * wrong) dropped[step] = true;
    if (!dropped[step]) kept += tally.step[step];
  }
  const auto steps = static_cast<double>(noise.steps);
  for (std::size_t step = 1; step < dropped.size(); ++step) {
    const double share = dropped[step] ? 0 : kept > 0 ? tally.step[step] / kept : 1 / steps;
    noise.step_share[step] = (share + kLeastShare) / (1 + steps * kLeastShare);
  }
  noise.class_wrong = std::move(tally.wrong);
  noise.pair_wrong = std::move(tally.pairs);
  tabulate(noise, climbs);
}

// One step of Newton's method on the logarithm of the scale; where the evidence is not concave, the step of
// expectation maximisation.
double next_scale(double scale, const Tally& tally) {
  const double curvature =
      std::max(tally.prior_variance - tally.posterior_variance, kLeastCurvature * tally.prior_variance);
  if (!(curvature > 0)) return scale;
  return scale * std::exp(std::clamp(tally.slope / curvature / scale, -kScaleStep, kScaleStep));
}

}  // namespace

LabelNoise::LabelNoise(const ClassClimbs& climbs) : classes(climbs.classes()), steps(climbs.steps()) {
  class_rate.assign(static_cast<std::size_t>(classes), rate);
  step_share.assign(static_cast<std::size_t>(steps) + 1, 1.0 / steps);
  step_share[0] = 0;
  class_wrong.assign(static_cast<std::size_t>(classes), 0);
  tabulate(*this, climbs);
}

double LabelNoise::transition(std::int64_t truth, std::int64_t given, int climb) const {
  const auto c = static_cast<std::size_t>(truth);
  if (climb == 0) return 1 - class_rate[c];
  double share = spread[c * (static_cast<std::size_t>(steps) + 1) + static_cast<std::size_t>(climb)];
  if (!pair_wrong.empty()) {
    const auto found = pair_wrong.find(pair_key(classes, truth, given));
    share = ((found == pair_wrong.end() ? 0 : found->second) + kPairStrength * share) /
            (class_wrong[c] + kPairStrength);
  }
  return class_rate[c] * share;
}

ClassBeliefs NoiseFit::beliefs(const ClassScores& scores, std::int64_t sample, std::int64_t given,
                               const ClassClimbs& climbs) const {
  std::vector<std::uint8_t> climb;
  for (const auto c : scores.candidates_of(sample))
    climb.push_back(static_cast<std::uint8_t>(climbs.climb(c, given)));
  ClassShares shares;
  softmax_shares(scores, sample, scale, shares);
  ClassBeliefs result;
  believe(noise, scores, sample, given, climb, shares, result);
  return result;
}

NoiseFit fit_noise(const ClassScores& scores, std::span<const std::int64_t> given, const ClassClimbs& climbs,
                   const NoiseFitOptions& options, const NoiseFit* start) {
  NoiseFit fit{.scale = 20, .noise = LabelNoise(climbs), .log_likelihood = 0};
  if (start != nullptr) {
    fit = *start;
    fit.noise.pair_wrong.clear();  // pairs come last
  }
  const auto judged = judged_samples(scores, given, climbs);
  if (judged.sample.empty()) return fit;
  std::vector<bool> dropped(static_cast<std::size_t>(climbs.steps()) + 1, false);
  for (int round = 0; round < options.rounds; ++round) {
    auto tally = expect(fit, scores, given, judged, CountPairs::kNo);
    fit.log_likelihood = tally.evidence / static_cast<double>(tally.judged);
    const double rate = fit.noise.rate;
    const double scale = std::exchange(fit.scale, next_scale(fit.scale, tally));
    maximise(fit.noise, std::move(tally), climbs, dropped, round);
    if (round > kSparseRound + 1 && std::abs(fit.noise.rate - rate) < options.tolerance &&
        std::abs(std::log(fit.scale / scale)) < kScaleTolerance)
      break;
  }
  // Pairs come last: looked up for every sample and class, they would cost more than all the rest.
  maximise(fit.noise, expect(fit, scores, given, judged, CountPairs::kYes), climbs, dropped, options.rounds);
  return fit;
}

}  // namespace procsim
