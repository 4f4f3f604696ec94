#include "data/noise_model/label_noise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace procsim {
namespace {

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
  tabulate(distances, options.least_share);
}

void LabelNoise::tabulate(const ClassDistances& distances, double least_share) {
  const auto columns = static_cast<std::size_t>(steps) + 1;
  spread.assign(static_cast<std::size_t>(classes) * columns, 0);
  for (std::int64_t c = 0; c < classes; ++c) {
    double* row = spread.data() + static_cast<std::size_t>(c) * columns;
    double sum = 0;
    double reached = 0;
    for (int step = steps; step >= 1; --step) {
      const auto others = distances.others_below(c, step);
      const double share = step_share[static_cast<std::size_t>(step)];
      if (others > 0) {
        sum += share / static_cast<double>(others);
        reached += share;
      }
      row[step] = sum;
    }
    // Steps that lead nowhere from this class leave their share to the others.
    for (int step = 1; step <= steps; ++step) row[step] /= std::max(reached, least_share);
  }
  const double root = step_share[static_cast<std::size_t>(steps)];
  elsewhere = rate * root / static_cast<double>(std::max<std::int64_t>(1, classes - 1));
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

void NoiseSamples::clear() {
  samples_.clear();
  behind_.clear();
  cell_.clear();
}

}  // namespace procsim
