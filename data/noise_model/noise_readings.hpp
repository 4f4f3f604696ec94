#pragma once

#include "data/labels/score_estimates.hpp"
#include "data/noise_model/scoring_options.hpp"

namespace procsim {

// Labels and class scores disagree where labels are wrong and where the classifier confuses classes. A noise
// model tells the two apart by the scores: a confused sample lies between classes, a mislabelled one in the
// midst of another. Errors that follow the image (people confuse what looks alike) look like confusions to
// it.
//
// `rate`, as a noise model reads it, with both readings: low is the rate itself, high the share `disagree` of
// the `samples` labels that are not the class that scores best, as if all of them were errors. The interval
// spans both.
WrongRate with_readings(WrongRate rate, double disagree, double samples, const ReadingOptions& options);

}  // namespace procsim
