#include "data/noise_model/noise_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "data/noise_model/noise_expectation.hpp"

namespace procsim {
namespace {

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
  noise.tabulate(distances, options.least_share);
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

NoiseFit fit_noise(const NoiseSamples& samples, const NoiseModelOptions& options, const NoiseFit* start,
                   const NoiseParts& all) {
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
    Expectation expected(fit, {});
    expected.add(samples);
    auto tally = std::move(expected).finish();
    fit.log_likelihood = tally.evidence / static_cast<double>(tally.looked_at);
    const double rate = fit.noise.rate;
    const double scale = std::exchange(fit.scale, next_scale(fit.scale, tally, options));
    maximise(fit, std::move(tally), samples, options, trust, dropped, round);
    if (round > options.sparse_round + 1 && std::abs(fit.noise.rate - rate) < options.tolerance &&
        std::abs(std::log(fit.scale / scale)) < options.scale_tolerance)
      break;
  }
  // Pairs come last: counted in every round, they would cost more than all the rest.
  Expectation expected(fit, {.wanted = true, .threshold = options.pair_threshold});
  if (all)
    all([&](const NoiseSamples& part) { expected.add(part); });
  else
    expected.add(samples);
  maximise(fit, std::move(expected).finish(), samples, options, trust, dropped, options.rounds);
  return fit;
}

NoiseFit fit_noise(const ClassScores& scores, std::span<const std::int64_t> given,
                   const ClassDistances& distances, const NoiseModelOptions& options) {
  NoiseSamples samples(distances, scores.width, scores.size());
  for (std::int64_t i = 0; i < scores.size(); ++i) samples.add(scores, i, given[static_cast<std::size_t>(i)]);
  return fit_noise(samples, options);
}

}  // namespace procsim
