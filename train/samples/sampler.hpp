#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace procsim::train {

struct SamplerOptions {
  std::int64_t batch = 90;
  std::int64_t per_class = 2;
  std::uint64_t seed = 1;
};

// The largest batch of at most `batch` samples that so many classes fill: what a set of few
// classes is trained with where nobody says otherwise.
std::int64_t fitting_batch(std::int64_t batch, std::int64_t per_class, std::int64_t classes);

// M samples of each of B/M classes a batch, classes without replacement inside a batch. An epoch is as many
// batches as it takes to see every sample once; a class too large for that is spread over several epochs, so
// every sample is reached over time. Places that are left over go to further classes, so all batches are
// full.
//
// It has no state: an epoch's plan depends on the seed and the epoch alone, which is what makes a run
// resumable.
class ClassBalancedSampler {
 public:
  // `labels`: a dense class per sample. Throws Error when the batch is no multiple of per_class, or asks for
  // more classes than there are. A class smaller than per_class fills its places with repetitions.
  ClassBalancedSampler(std::span<const std::int64_t> labels, const SamplerOptions& options);

  // Batches of sample indices.
  std::vector<std::vector<std::int64_t>> epoch(std::int64_t epoch) const;

 private:
  std::vector<std::int64_t> samples_of(std::int64_t class_index, std::int64_t epoch) const;

  SamplerOptions options_;
  std::vector<std::vector<std::int64_t>> members_;  // class → sample indices
  std::vector<std::int64_t> groups_;                // class → groups of per_class samples in an epoch
  std::int64_t batches_ = 0;
};

}  // namespace procsim::train
