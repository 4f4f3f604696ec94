#include "data/noise_model/noise_expectation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace procsim {
namespace {

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

}  // namespace

Expectation::Expectation(const NoiseFit& fit, const CountPairs& count_pairs)
    : fit_(fit), count_pairs_(count_pairs) {
  const auto& noise = fit.noise;
  const auto classes = static_cast<std::size_t>(noise.classes);
  cells_.columns = static_cast<std::size_t>(noise.steps) + 1;
  for (std::size_t c = 0; c < noise.class_rate.size(); ++c)
    for (std::size_t distance = 0; distance < cells_.columns; ++distance) {
      cells_.prior.push_back(fit.prior.empty() ? 1.0F : static_cast<float>(fit.prior[c]));
      cells_.transition.push_back(
          distance == 0
              ? 0.0F
              : static_cast<float>(noise.class_rate[c] * noise.spread[c * cells_.columns + distance]));
    }
  cells_.wrong.assign(cells_.prior.size(), 0);
  tally_.samples.assign(classes, 0);
  tally_.wrong.assign(classes, 0);
  tally_.step.assign(cells_.columns, 0);
}

void Expectation::add(const NoiseSamples& samples) {
  const auto& noise = fit_.noise;
  const auto width = static_cast<std::size_t>(samples.width());
  const auto scale = static_cast<float>(fit_.scale);
  const auto reach = static_cast<float>(kNegligible / fit_.scale);
  std::vector<float> share(width), belief(width);
  tally_.looked_at += static_cast<std::int64_t>(samples.samples().size());
  for (std::size_t i = 0; i < samples.samples().size(); ++i) {
    const auto& sample = samples.samples()[i];
    const float* behind = samples.behind(i);
    const std::int32_t* cell = samples.cell(i);
    const auto kept = static_cast<std::size_t>(std::upper_bound(behind, behind + width, reach) - behind);
    exp_of_negative(behind, kept, scale, share.data());
    Moments prior, posterior;
    for (std::size_t k = 0; k < kept; ++k) {
      const auto at = static_cast<std::size_t>(cell[k]);
      share[k] *= cells_.prior[at];
      belief[k] = share[k] * cells_.transition[at];
      prior.add(share[k], behind[k]);
      posterior.add(belief[k], behind[k]);
    }
    const auto own = static_cast<std::size_t>(sample.given);
    const double given = cells_.prior[own * cells_.columns] * std::exp(-fit_.scale * sample.given_behind);
    if (sample.given_at < 0) prior.add(given, sample.given_behind);
    const double right = given * (1 - noise.class_rate[own]);
    posterior.add(right, sample.given_behind);
    if (sample.rest_count > 0) {
      const double rest = sample.rest_count * std::exp(-fit_.scale * sample.rest_behind +
                                                       fit_.scale * fit_.scale * sample.rest_variance / 2);
      const double centre = sample.rest_behind - fit_.scale * sample.rest_variance;
      prior.add(rest, centre, sample.rest_variance);
      posterior.add(rest * noise.transition_from_elsewhere(), centre, sample.rest_variance);
    }
    const double all = std::max(posterior.weight, 1e-300);
    tally_.evidence += std::log(all / prior.weight);
    tally_.slope += prior.mean() - (posterior.weight > 0 ? posterior.mean() : prior.mean());
    tally_.prior_variance += prior.variance();
    tally_.posterior_variance += posterior.weight > 0 ? posterior.variance() : 0;
    tally_.samples[own] += right / all;
    for (std::size_t k = 0; k < kept; ++k) cells_.wrong[static_cast<std::size_t>(cell[k])] += belief[k] / all;
    if (!count_pairs_.wanted) continue;
    for (std::size_t k = 0; k < kept; ++k)
      if (belief[k] > count_pairs_.threshold * all)
        tally_.pairs[pair_key(noise.classes, cell[k] / static_cast<std::int32_t>(cells_.columns),
                              sample.given)] += belief[k] / all;
  }
}

// Errors by class and by step. Which step an error of some distance took: every step that reaches so far, by
// its share of the classes.
Tally Expectation::finish() && {
  const auto columns = cells_.columns;
  for (std::size_t c = 0; c < tally_.wrong.size(); ++c) {
    const double* spread = fit_.noise.spread.data() + c * columns;
    for (std::size_t distance = 1; distance < columns; ++distance) {
      const double wrong = cells_.wrong[c * columns + distance];
      tally_.wrong[c] += wrong;
      if (!(spread[distance] > 0)) continue;
      for (std::size_t step = distance; step < columns; ++step) {
        const double part = spread[step] - (step + 1 < columns ? spread[step + 1] : 0);
        tally_.step[step] += wrong * part / spread[distance];
      }
    }
    tally_.samples[c] += tally_.wrong[c];
  }
  return std::move(tally_);
}

}  // namespace procsim
