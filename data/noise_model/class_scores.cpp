#include "data/noise_model/class_scores.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace procsim {
ClassScores::ClassScores(std::int64_t samples, std::int64_t class_count, std::int64_t kept)
    : classes(class_count), width(std::min(kept, class_count)) {
  resize(static_cast<std::size_t>(samples));
}

void ClassScores::shorten(std::int64_t samples) {
  if (samples < size()) resize(static_cast<std::size_t>(samples));
}

void ClassScores::resize(std::size_t samples) {
  candidate.resize(samples * static_cast<std::size_t>(width));
  score.resize(candidate.size());
  given.resize(samples);
  given_at.resize(samples);
  rest_mean.resize(samples);
  rest_variance.resize(samples);
  rest_count.resize(samples);
}

std::span<const std::int32_t> ClassScores::candidates_of(std::int64_t sample) const {
  return {candidate.data() + sample * width, static_cast<std::size_t>(width)};
}

std::span<const float> ClassScores::scores_of(std::int64_t sample) const {
  return {score.data() + sample * width, static_cast<std::size_t>(width)};
}

void ClassScores::keep(std::int64_t sample, std::span<const std::int32_t> listed,
                       std::span<const float> scores, std::int64_t own, const OtherScores& others,
                       std::vector<std::int32_t>& order) {
  const auto at = [&](std::int32_t place) { return scores[static_cast<std::size_t>(place)]; };
  const auto better = [&](std::int32_t a, std::int32_t b) { return at(a) != at(b) ? at(a) > at(b) : a < b; };
  const auto own_at = static_cast<std::int32_t>(
      std::lower_bound(listed.begin(), listed.end(), static_cast<std::int32_t>(own)) - listed.begin());
  std::iota(order.begin(), order.end(), 0);
  const auto last = order.begin() + width;
  std::nth_element(order.begin(), last - 1, order.end(), better);
  std::sort(order.begin(), last, better);
  const auto i = static_cast<std::size_t>(sample);
  given_at[i] = -1;
  for (std::int64_t k = 0; k < width; ++k) {
    const auto chosen = order[static_cast<std::size_t>(k)];
    const auto place = static_cast<std::size_t>(sample * width + k);
    candidate[place] = listed[static_cast<std::size_t>(chosen)];
    score[place] = at(chosen);
    if (chosen == own_at) given_at[i] = static_cast<std::int32_t>(k);
  }
  given[i] = at(own_at) == kUnsupported ? std::numeric_limits<float>::quiet_NaN() : at(own_at);
  double sum = others.sum;
  double squares = others.squares;
  std::int32_t count = others.count;
  for (auto rest = last; rest != order.end(); ++rest) {
    if (*rest == own_at || at(*rest) == kUnsupported) continue;
    sum += at(*rest);
    squares += static_cast<double>(at(*rest)) * at(*rest);
    ++count;
  }
  const double mean = count > 0 ? sum / count : 0;
  rest_count[i] = count;
  rest_mean[i] = static_cast<float>(mean);
  rest_variance[i] = static_cast<float>(count > 0 ? std::max(0.0, squares / count - mean * mean) : 0);
}

}  // namespace procsim
