#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace procsim::train {

// The classes that each sample is compared with one by one, ascending: all of them, or as many for every
// sample.
class Shortlists {
 public:
  // Every class for every sample.
  explicit Shortlists(std::int64_t class_count);
  // `width` for each sample, to be set.
  Shortlists(std::int64_t samples, std::int64_t width);

  bool everything() const { return everything_; }
  std::int64_t width() const { return width_; }
  std::span<const std::int32_t> of(std::int64_t sample) const {
    return {lists_.data() + (everything_ ? 0 : sample * width_), static_cast<std::size_t>(width_)};
  }

  // The classes of the highest scores, ties by class; `own` is among them in any case. `scores` holds one a
  // class, `width` of them at least. Not where every class is listed. Any number of threads, a sample each.
  void set(std::int64_t sample, std::span<const float> scores, std::int64_t own);

 private:
  std::int64_t width_;
  bool everything_;
  std::vector<std::int32_t> lists_;
};

}  // namespace procsim::train
