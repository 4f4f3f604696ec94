#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace procsim {

// The score of a class that nothing is known of. A cosine is never so low.
inline constexpr float kUnsupported = -2;

// Of the classes that were not looked at one by one: their number and the sums of their scores.
struct OtherScores {
  std::int32_t count = 0;
  double sum = 0;
  double squares = 0;
};

// Scores of classes for some samples in a space of samples × `width`: the best classes one by one, the score
// of the given class, and the mean and variance of all others, which are enough for their share of a softmax.
struct ClassScores {
  std::int64_t classes = 0;
  std::int64_t width = 0;               // classes kept a sample
  std::vector<std::int32_t> candidate;  // size() × width, best first
  std::vector<float> score;             // size() × width
  std::vector<float> given;             // score of the given class; NaN when nothing is known of the class
  std::vector<std::int32_t> given_at;   // its place among the candidates, −1: not kept
  std::vector<float> rest_mean;         // of the classes that are neither kept nor given
  std::vector<float> rest_variance;
  std::vector<std::int32_t> rest_count;

  ClassScores() = default;
  ClassScores(std::int64_t samples, std::int64_t class_count, std::int64_t kept);
  std::int64_t size() const { return static_cast<std::int64_t>(given.size()); }
  std::span<const std::int32_t> candidates_of(std::int64_t sample) const;
  std::span<const float> scores_of(std::int64_t sample) const;

  // The scores of the listed classes (ascending, at least `width` of them, `own` among them) become those of
  // a sample: the best are kept, ties by class; `others` says what is known of the classes that are not
  // listed. `own` is its given class. `order` is room, as long as the list.
  void keep(std::int64_t sample, std::span<const std::int32_t> listed, std::span<const float> scores,
            std::int64_t own, const OtherScores& others, std::vector<std::int32_t>& order);

  // Samples from `samples` on are forgotten.
  void shorten(std::int64_t samples);

 private:
  void resize(std::size_t samples);
};

}  // namespace procsim
