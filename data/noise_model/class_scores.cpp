#include "data/noise_model/class_scores.hpp"

#include <algorithm>

namespace procsim {
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

}  // namespace procsim
