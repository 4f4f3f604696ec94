#include "train/noise_model/label_noise.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace procsim::train {
namespace {

constexpr double kNegligible = 23;  // behind the best, in logarithms: a share below 1e-10 counts as none

std::uint64_t pair_key(std::int64_t classes, std::int64_t truth, std::int64_t given) {
  return static_cast<std::uint64_t>(truth * classes + given);
}

// out[k] = exp(−scale · behind[k]) for products up to kNegligible, to seven digits: written so that the
// compiler can do several at once, and the same on every machine.
void exp_of_negative(const float* behind, std::size_t count, float scale, float* out) {
  constexpr float kPerOctave = 1.44269504F;
  constexpr float kOctaveHigh = 0.693359375F;  // the logarithm of 2 in two parts: the first has few digits
  constexpr float kOctaveLow = -2.12194440e-4F;
  constexpr float kRound = 12582912.0F;  // 1.5 · 2^23: adding it rounds to an integer
  for (std::size_t k = 0; k < count; ++k) {
    const float x = -scale * behind[k];
    const float shifted = x * kPerOctave + kRound;
    const float octaves = shifted - kRound;
    const float rest = (x - octaves * kOctaveHigh) - octaves * kOctaveLow;
    float value = 1.0F / 720;
    value = value * rest + 1.0F / 120;
    value = value * rest + 1.0F / 24;
    value = value * rest + 1.0F / 6;
    value = value * rest + 0.5F;
    value = value * rest + 1;
    value = value * rest + 1;
    const auto exponent = (static_cast<std::int32_t>(octaves) + 127) << 23;
    out[k] = value * std::bit_cast<float>(exponent);
  }
}

// Tables that follow from rates and shares.
void tabulate(LabelNoise& noise, const ClassDistances& distances, double least_share) {
  const auto columns = static_cast<std::size_t>(noise.steps) + 1;
  noise.spread.assign(static_cast<std::size_t>(noise.classes) * columns, 0);
  for (std::int64_t c = 0; c < noise.classes; ++c) {
    double* row = noise.spread.data() + static_cast<std::size_t>(c) * columns;
    double sum = 0;
    double reached = 0;
    for (int step = noise.steps; step >= 1; --step) {
      const auto others = distances.others_below(c, step);
      const double share = noise.step_share[static_cast<std::size_t>(step)];
      if (others > 0) {
        sum += share / static_cast<double>(others);
        reached += share;
      }
      row[step] = sum;
    }
    // Steps that lead nowhere from this class leave their share to the others.
    for (int step = 1; step <= noise.steps; ++step) row[step] /= std::max(reached, least_share);
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
  // Of the scale: the slope of the evidence, and the variances of the scores under the softmax alone and once
  // the label is known, whose difference is the curvature.
  double slope = 0, prior_variance = 0, posterior_variance = 0;
};

// Weight, mean and spread of distances behind the best score.
struct Moments {
  double weight = 0, sum = 0, squares = 0;

  void add(double share, double behind, double variance = 0) {
    weight += share;
    sum += share * behind;
    squares += share * (behind * behind + variance);
  }
  double mean() const { return sum / weight; }
  double variance() const { return squares / weight - mean() * mean(); }
};

// Whether errors are counted by pair, those with beliefs above a threshold.
struct CountPairs {
  bool wanted = false;
  double threshold = 0;
};

// Tables by cell (class · columns + distance), so that the inner loop looks up and does not compute.
struct Cells {
  std::size_t columns;
  std::vector<float> prior;       // of the class
  std::vector<float> transition;  // P(label | class) at that distance; 0 for the label's own class
  std::vector<double> wrong;      // expected errors, filled by the pass

  explicit Cells(const NoiseFit& fit) : columns(static_cast<std::size_t>(fit.noise.steps) + 1) {
    const auto& noise = fit.noise;
    for (std::size_t c = 0; c < noise.class_rate.size(); ++c)
      for (std::size_t distance = 0; distance < columns; ++distance) {
        prior.push_back(fit.prior.empty() ? 1.0F : static_cast<float>(fit.prior[c]));
        transition.push_back(
            distance == 0 ? 0.0F
                          : static_cast<float>(noise.class_rate[c] * noise.spread[c * columns + distance]));
      }
    wrong.assign(prior.size(), 0);
  }
};

// Errors by class and by step. Which step an error of some distance took: every step that reaches so far, by
// its share of the classes.
void sum_cells(const Cells& cells, const LabelNoise& noise, Tally& tally) {
  for (std::size_t c = 0; c < tally.wrong.size(); ++c) {
    const double* spread = noise.spread.data() + c * cells.columns;
    for (std::size_t distance = 1; distance < cells.columns; ++distance) {
      const double wrong = cells.wrong[c * cells.columns + distance];
      tally.wrong[c] += wrong;
      if (!(spread[distance] > 0)) continue;
      for (std::size_t step = distance; step < cells.columns; ++step) {
        const double part = spread[step] - (step + 1 < cells.columns ? spread[step + 1] : 0);
        tally.step[step] += wrong * part / spread[distance];
      }
    }
    tally.samples[c] += tally.wrong[c];
  }
}

Tally expect(const NoiseFit& fit, const NoiseSamples& samples, const CountPairs& count_pairs) {
  const auto& noise = fit.noise;
  const auto classes = static_cast<std::size_t>(noise.classes);
  Tally tally{std::vector<double>(classes, 0),
              std::vector<double>(classes, 0),
              std::vector<double>(static_cast<std::size_t>(noise.steps) + 1, 0),
              {}};
  Cells cells(fit);
  const auto width = static_cast<std::size_t>(samples.width());
  const auto scale = static_cast<float>(fit.scale);
  const auto reach = static_cast<float>(kNegligible / fit.scale);
  std::vector<float> share(width), belief(width);
  for (std::size_t i = 0; i < samples.samples().size(); ++i) {
    const auto& sample = samples.samples()[i];
    const float* behind = samples.behind(i);
    const std::int32_t* cell = samples.cell(i);
    const auto kept = static_cast<std::size_t>(std::upper_bound(behind, behind + width, reach) - behind);
    exp_of_negative(behind, kept, scale, share.data());
    Moments prior, posterior;
    for (std::size_t k = 0; k < kept; ++k) {
      const auto at = static_cast<std::size_t>(cell[k]);
      share[k] *= cells.prior[at];
      belief[k] = share[k] * cells.transition[at];
      prior.add(share[k], behind[k]);
      posterior.add(belief[k], behind[k]);
    }
    const auto own = static_cast<std::size_t>(sample.given);
    const double given = cells.prior[own * cells.columns] * std::exp(-fit.scale * sample.given_behind);
    if (sample.given_at < 0) prior.add(given, sample.given_behind);
    const double right = given * (1 - noise.class_rate[own]);
    posterior.add(right, sample.given_behind);
    if (sample.rest_count > 0) {
      const double rest = sample.rest_count * std::exp(-fit.scale * sample.rest_behind +
                                                       fit.scale * fit.scale * sample.rest_variance / 2);
      const double centre = sample.rest_behind - fit.scale * sample.rest_variance;
      prior.add(rest, centre, sample.rest_variance);
      posterior.add(rest * noise.transition_from_elsewhere(), centre, sample.rest_variance);
    }
    const double all = std::max(posterior.weight, 1e-300);
    tally.evidence += std::log(all / prior.weight);
    tally.slope += prior.mean() - (posterior.weight > 0 ? posterior.mean() : prior.mean());
    tally.prior_variance += prior.variance();
    tally.posterior_variance += posterior.weight > 0 ? posterior.variance() : 0;
    tally.samples[own] += right / all;
    for (std::size_t k = 0; k < kept; ++k) cells.wrong[static_cast<std::size_t>(cell[k])] += belief[k] / all;
    if (!count_pairs.wanted) continue;
    for (std::size_t k = 0; k < kept; ++k)
      if (belief[k] > count_pairs.threshold * all)
        tally.pairs[pair_key(noise.classes, cell[k] / static_cast<std::int32_t>(cells.columns),
                             sample.given)] += belief[k] / all;
  }
  sum_cells(cells, noise, tally);
  return tally;
}

// Beliefs from shares; `distance` holds the distance of every candidate.
void believe(const LabelNoise& noise, const ClassScores& scores, std::int64_t sample, std::int64_t given,
             std::span<const std::uint8_t> distance, const ClassShares& shares, ClassBeliefs& beliefs) {
  const auto candidates = scores.candidates_of(sample);
  beliefs.kept.resize(candidates.size());
  beliefs.given = shares.given * (1 - noise.class_rate[static_cast<std::size_t>(given)]);
  beliefs.rest = shares.rest * noise.transition_from_elsewhere();
  double sum = beliefs.given + beliefs.rest;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const bool counts = distance[k] != 0 && shares.kept[k] > 0;
    beliefs.kept[k] = counts ? shares.kept[k] * noise.transition(candidates[k], given, distance[k]) : 0;
    sum += beliefs.kept[k];
  }
  beliefs.evidence = sum;
  sum = std::max(sum, 1e-300);
  for (auto& belief : beliefs.kept) belief /= sum;
  beliefs.given /= sum;
  beliefs.rest /= sum;
}

// Samples of prior weight that make the rates of classes differ as they do: chance alone spreads them by
// rate · (1 − rate) / samples.
double rate_strength(const Tally& tally, double rate, const NoiseModelOptions& options) {
  const double chance = rate * (1 - rate);
  double spread = 0, all = 0, squares = 0;
  for (std::size_t c = 0; c < tally.wrong.size(); ++c) {
    const double samples = tally.samples[c];
    if (!(samples > 0)) continue;
    spread += samples * std::pow(tally.wrong[c] / samples - rate, 2) - chance;
    all += samples;
    squares += samples * samples;
  }
  const double variance = (spread + chance) / std::max(all - squares / all, 1e-9);
  const double most = options.most_rate_strength;
  const double least = options.least_rate_strength * (1 + std::pow(options.few_errors / rate, 2));
  return variance > 0 ? std::clamp(chance / variance - 1, std::min(least, most), most) : most;
}

// Rates from the root of the tree down: each node's own errors and samples, with its parent's rate as prior.
std::vector<double> shrunk_rates(const Tally& tally, const ClassDistances& distances, double overall,
                                 const NoiseModelOptions& options) {
  std::vector<double> wrong(distances.node_count(), 0);
  std::vector<double> samples(distances.node_count(), 0);
  for (std::int64_t c = 0; c < distances.classes(); ++c)
    for (const auto node : distances.chain(c)) {
      wrong[static_cast<std::size_t>(node)] += tally.wrong[static_cast<std::size_t>(c)];
      samples[static_cast<std::size_t>(node)] += tally.samples[static_cast<std::size_t>(c)];
    }
  const double strength = rate_strength(tally, overall, options);
  std::vector<double> rate(distances.node_count(), overall);
  for (std::size_t node = 1; node < rate.size(); ++node) {
    const double prior = rate[static_cast<std::size_t>(distances.parent(node))];
    rate[node] = (wrong[node] + strength * prior) / (samples[node] + strength);
  }
  std::vector<double> by_class;
  for (std::int64_t c = 0; c < distances.classes(); ++c)
    by_class.push_back(std::clamp(rate[static_cast<std::size_t>(distances.chain(c).back())], 1e-6, 0.95));
  return by_class;
}

// How much of the difference between class sizes is real: the labels' own vary by chance and by noise too.
double size_trust(const NoiseSamples& samples, double alike_sizes) {
  std::vector<double> labels(static_cast<std::size_t>(samples.distances().classes()), 0);
  for (const auto& sample : samples.samples()) ++labels[static_cast<std::size_t>(sample.given)];
  const auto count = static_cast<double>(labels.size());
  const double mean = static_cast<double>(samples.samples().size()) / count;
  double squares = 0;
  for (const double size : labels) squares += (size / mean - 1) * (size / mean - 1) / count;
  return squares > 0 ? std::max(0.0, 1 - (alike_sizes + 1 / mean) / squares) : 0;
}

// How often each class occurs, 1 on average.
std::vector<double> class_prior(const Tally& tally, double trust, double strength) {
  const double mean = std::accumulate(tally.samples.begin(), tally.samples.end(), 0.0) /
                      static_cast<double>(tally.samples.size());
  std::vector<double> prior;
  for (const double samples : tally.samples)
    prior.push_back(1 + trust * ((samples / mean + strength) / (1 + strength) - 1));
  return prior;
}

void maximise(NoiseFit& fit, Tally tally, const NoiseSamples& samples, const NoiseModelOptions& options,
              double trust, std::vector<bool>& dropped, std::int64_t round) {
  const auto& distances = samples.distances();
  auto& noise = fit.noise;
  fit.prior = class_prior(tally, trust, options.size_strength);
  double wrong = 0;
  double all = 0;
  for (std::size_t c = 0; c < tally.wrong.size(); ++c) {
    wrong += tally.wrong[c];
    all += tally.samples[c];
  }
  noise.rate = std::clamp((wrong + 0.5) / (all + 1), 1e-6, 0.95);
  noise.class_rate = shrunk_rates(tally, distances, noise.rate, options);
  // A step that explains next to nothing explains the classifier's confusions, not errors of labels.
  double kept = 0;
  for (std::size_t step = 1; step < dropped.size(); ++step) {
    if (round == options.sparse_round && tally.step[step] < options.sparse_share * wrong)
      dropped[step] = true;
    if (!dropped[step]) kept += tally.step[step];
  }
  const auto steps = static_cast<double>(noise.steps);
  for (std::size_t step = 1; step < dropped.size(); ++step) {
    const double share = dropped[step] ? 0 : kept > 0 ? tally.step[step] / kept : 1 / steps;
    noise.step_share[step] = (share + options.least_share) / (1 + steps * options.least_share);
  }
  noise.class_wrong = std::move(tally.wrong);
  noise.pair_wrong = std::move(tally.pairs);
  tabulate(noise, distances, options.least_share);
}

// One step of Newton's method on the logarithm of the scale; where the evidence is not concave, the step of
// expectation maximisation.
double next_scale(double scale, const Tally& tally, const NoiseModelOptions& options) {
  const double curvature = std::max(tally.prior_variance - tally.posterior_variance,
                                    options.least_curvature * tally.prior_variance);
  if (!(curvature > 0)) return scale;
  return scale *
         std::exp(std::clamp(tally.slope / curvature / scale, -options.scale_step, options.scale_step));
}

}  // namespace

LabelNoise::LabelNoise(const ClassDistances& distances, const NoiseModelOptions& options)
    : rate(options.first_rate),
      pair_strength(options.pair_strength),
      classes(distances.classes()),
      steps(distances.steps()) {
  class_rate.assign(static_cast<std::size_t>(classes), rate);
  step_share.assign(static_cast<std::size_t>(steps) + 1, 1.0 / steps);
  step_share[0] = 0;
  class_wrong.assign(static_cast<std::size_t>(classes), 0);
  tabulate(*this, distances, options.least_share);
}

double LabelNoise::transition(std::int64_t truth, std::int64_t given, int distance) const {
  const auto c = static_cast<std::size_t>(truth);
  if (distance == 0) return 1 - class_rate[c];
  double share = spread[c * (static_cast<std::size_t>(steps) + 1) + static_cast<std::size_t>(distance)];
  if (!pair_wrong.empty()) {
    const auto found = pair_wrong.find(pair_key(classes, truth, given));
    share = ((found == pair_wrong.end() ? 0 : found->second) + pair_strength * share) /
            (class_wrong[c] + pair_strength);
  }
  return class_rate[c] * share;
}

void NoiseFit::shares(const ClassScores& scores, std::int64_t sample, std::int64_t own,
                      ClassShares& result) const {
  const auto i = static_cast<std::size_t>(sample);
  const auto best = scores.scores_of(sample);
  const auto candidates = scores.candidates_of(sample);
  const auto weight = [&](std::int64_t c) { return prior.empty() ? 1 : prior[static_cast<std::size_t>(c)]; };
  const double top = best[0];  // best first: nothing overflows
  result.kept.resize(best.size());
  double sum = 0;
  for (std::size_t k = 0; k < best.size(); ++k) {
    const double behind = scale * (top - best[k]);
    if (behind > kNegligible || best[k] == kUnsupported) {  // so are all that follow
      std::fill(result.kept.begin() + static_cast<std::ptrdiff_t>(k), result.kept.end(), 0);
      break;
    }
    result.kept[k] = weight(candidates[k]) * std::exp(-behind);
    sum += result.kept[k];
  }
  const bool known = !std::isnan(scores.given[i]);
  const auto place = scores.given_at[i];
  result.given = !known       ? 0
                 : place >= 0 ? result.kept[static_cast<std::size_t>(place)]
                              : weight(own) * std::exp(scale * (scores.given[i] - top));
  result.rest = scores.rest_count[i] == 0
                    ? 0
                    : scores.rest_count[i] * std::exp(scale * (scores.rest_mean[i] - top) +
                                                      scale * scale * scores.rest_variance[i] / 2);
  sum += (place >= 0 ? 0 : result.given) + result.rest;
  if (!(sum > 0)) return;  // nothing is known of any class
  for (auto& share : result.kept) share /= sum;
  result.rest /= sum;
  result.given /= sum;
}

ClassBeliefs NoiseFit::beliefs(const ClassScores& scores, std::int64_t sample, std::int64_t given,
                               const ClassDistances& distances) const {
  ClassShares from_features;
  shares(scores, sample, given, from_features);
  return beliefs(scores, sample, given, distances, from_features);
}

ClassBeliefs NoiseFit::beliefs(const ClassScores& scores, std::int64_t sample, std::int64_t given,
                               const ClassDistances& distances, const ClassShares& known) const {
  std::vector<std::uint8_t> distance;
  for (const auto c : scores.candidates_of(sample))
    distance.push_back(static_cast<std::uint8_t>(distances.distance(c, given)));
  ClassBeliefs result;
  believe(noise, scores, sample, given, distance, known, result);
  return result;
}

NoiseSamples::NoiseSamples(const ClassDistances& distances, std::int64_t width, std::int64_t most)
    : distances_(&distances), width_(width) {
  const auto count = static_cast<std::size_t>(most);
  samples_.reserve(count);
  behind_.reserve(count * row());
  cell_.reserve(count * row());
}

void NoiseSamples::add(const ClassScores& scores, std::int64_t sample, std::int64_t given) {
  const auto i = static_cast<std::size_t>(sample);
  if (std::isnan(scores.given[i])) return;
  const auto best = scores.scores_of(sample);
  const float top = best[0];
  samples_.push_back({static_cast<std::int32_t>(given), scores.given_at[i], top - scores.given[i],
                      top - scores.rest_mean[i], scores.rest_variance[i], scores.rest_count[i]});
  const auto columns = static_cast<std::int64_t>(distances_->steps()) + 1;
  const auto candidates = scores.candidates_of(sample);
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    behind_.push_back(best[k] == kUnsupported ? std::numeric_limits<float>::infinity() : top - best[k]);
    cell_.push_back(
        static_cast<std::int32_t>(candidates[k] * columns + distances_->distance(candidates[k], given)));
  }
}

NoiseFit fit_noise(const NoiseSamples& samples, const NoiseModelOptions& options, const NoiseFit* start) {
  const auto& distances = samples.distances();
  NoiseFit fit{.scale = options.first_scale,
               .noise = LabelNoise(distances, options),
               .prior = {},
               .log_likelihood = 0};
  if (start != nullptr) {
    fit = *start;
    fit.noise.pair_wrong.clear();  // pairs come last
  }
  if (samples.samples().empty()) return fit;
  const double trust = size_trust(samples, options.alike_sizes);
  std::vector<bool> dropped(static_cast<std::size_t>(distances.steps()) + 1, false);
  for (std::int64_t round = 0; round < options.rounds; ++round) {
    auto tally = expect(fit, samples, {});
    fit.log_likelihood = tally.evidence / static_cast<double>(samples.samples().size());
    const double rate = fit.noise.rate;
    const double scale = std::exchange(fit.scale, next_scale(fit.scale, tally, options));
    maximise(fit, std::move(tally), samples, options, trust, dropped, round);
    if (round > options.sparse_round + 1 && std::abs(fit.noise.rate - rate) < options.tolerance &&
        std::abs(std::log(fit.scale / scale)) < options.scale_tolerance)
      break;
  }
  // Pairs come last: counted in every round, they would cost more than all the rest.
  auto tally = expect(fit, samples, {.wanted = true, .threshold = options.pair_threshold});
  maximise(fit, std::move(tally), samples, options, trust, dropped, options.rounds);
  return fit;
}

NoiseFit fit_noise(const ClassScores& scores, std::span<const std::int64_t> given,
                   const ClassDistances& distances, const NoiseModelOptions& options) {
  NoiseSamples samples(distances, scores.width, scores.size());
  for (std::int64_t i = 0; i < scores.size(); ++i) samples.add(scores, i, given[static_cast<std::size_t>(i)]);
  return fit_noise(samples, options);
}

}  // namespace procsim::train
