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

// What the fit expects of the samples: a pass over all of them, the inner loop of fit_noise.
Tally expect(const NoiseFit& fit, const NoiseSamples& samples, const CountPairs& count_pairs);

}  // namespace procsim
