#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "data/noise_model/label_noise.hpp"

namespace procsim {

// Expected errors by class of truth and by step, and the expected number of samples by class.
struct Tally {
  std::vector<double> samples, wrong;  // by class
  std::vector<double> step;            // by step
  std::unordered_map<std::uint64_t, double> pairs;
  std::int64_t looked_at = 0;  // samples
  double evidence = 0;
  // Of the scale: the slope of the evidence, and the variances of the scores under the softmax alone and once
  // the label is known, whose difference is the curvature.
  double slope = 0, prior_variance = 0, posterior_variance = 0;
};

// Whether errors are counted by pair, those with beliefs above a threshold.
struct CountPairs {
  bool wanted = false;
  double threshold = 0;
};

// What the fit expects of samples: a pass over all of them, the inner loop of fit_noise. They may come in
// parts; the sums are the same to the bit.
class Expectation {
 public:
  Expectation(const NoiseFit& fit, const CountPairs& count_pairs);  // `fit` must outlive it
  void add(const NoiseSamples& samples);
  Tally finish() &&;

 private:
  // Tables by cell (class · columns + distance), so that the inner loop looks up and does not compute.
  struct Cells {
    std::size_t columns = 0;
    std::vector<float> prior;       // of the class
    std::vector<float> transition;  // P(label | class) at that distance; 0 for the label's own class
    std::vector<double> wrong;      // expected errors, filled by the pass
  };

  const NoiseFit& fit_;
  CountPairs count_pairs_;
  Cells cells_;
  Tally tally_;
};

}  // namespace procsim
