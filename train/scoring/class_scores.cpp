#include "train/scoring/class_scores.hpp"

#include <algorithm>
#include <cmath>

namespace procsim {
namespace {

constexpr double kNegligible =
    23;  // behind the best class, in logarithms: a share below 1e-10 counts as none

}  // namespace

ClassScores::ClassScores(std::int64_t samples, std::int64_t class_count, std::int64_t kept)
    : classes(class_count), width(std::min(kept, class_count)) {
  const auto count = static_cast<std::size_t>(samples);
  candidate.resize(count * static_cast<std::size_t>(width));
  score.resize(candidate.size());
  given.resize(count);
  given_at.resize(count);
  rest_mean.resize(count);
  rest_variance.resize(count);
  rest_count.resize(count);
}

std::span<const std::int32_t> ClassScores::candidates_of(std::int64_t sample) const {
  return {candidate.data() + sample * width, static_cast<std::size_t>(width)};
}

std::span<const float> ClassScores::scores_of(std::int64_t sample) const {
  return {score.data() + sample * width, static_cast<std::size_t>(width)};
}

void ClassScores::copy(std::int64_t to, const ClassScores& other, std::int64_t from) {
  std::copy_n(other.candidate.begin() + from * width, width, candidate.begin() + to * width);
  std::copy_n(other.score.begin() + from * width, width, score.begin() + to * width);
  const auto target = static_cast<std::size_t>(to);
  const auto source = static_cast<std::size_t>(from);
  given[target] = other.given[source];
  given_at[target] = other.given_at[source];
  rest_mean[target] = other.rest_mean[source];
  rest_variance[target] = other.rest_variance[source];
  rest_count[target] = other.rest_count[source];
}

void softmax_shares(const ClassScores& scores, std::int64_t sample, double scale, ClassShares& shares) {
  const auto i = static_cast<std::size_t>(sample);
  const auto best = scores.scores_of(sample);
  const double top = best[0];  // best first: nothing overflows
  shares.kept.resize(best.size());
  double sum = 0;
  for (std::size_t k = 0; k < best.size(); ++k) {
    const double behind = scale * (top - best[k]);
    if (behind > kNegligible || best[k] == kUnsupported) {  // so are all that follow
      std::fill(shares.kept.begin() + static_cast<std::ptrdiff_t>(k), shares.kept.end(), 0);
      break;
    }
    shares.kept[k] = std::exp(-behind);
    sum += shares.kept[k];
  }
  const bool known = !std::isnan(scores.given[i]);
  const auto place = scores.given_at[i];
  const double apart = known && place < 0 ? std::exp(scale * (scores.given[i] - top)) : 0;
  shares.rest = scores.rest_count[i] == 0
                    ? 0
                    : scores.rest_count[i] * std::exp(scale * (scores.rest_mean[i] - top) +
                                                      scale * scale * scores.rest_variance[i] / 2);
  sum += apart + shares.rest;
  for (auto& share : shares.kept) share /= sum;
  shares.rest /= sum;
  shares.given = place >= 0 ? shares.kept[static_cast<std::size_t>(place)] : apart / sum;
  if (!known) shares.given = 0;
}

}  // namespace procsim
