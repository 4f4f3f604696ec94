#pragma once

#include <span>
#include <vector>

#include "data/noise_model/scoring_options.hpp"

namespace procsim {

// The probability of each sample to belong to no class at all, from how far it is from the nearest class
// (positive numbers, by models that have not seen it). The logarithms are read as a mixture of two normal
// distributions, the farther one that of outliers. Where there is no second one to be seen
// (options.least_separation), hardly any sample is an outlier, and the order alone says something. Rises with
// the distance.
std::vector<double> outlier_probabilities(std::span<const double> distances,
                                          const OutlierOptions& options = {});

}  // namespace procsim
