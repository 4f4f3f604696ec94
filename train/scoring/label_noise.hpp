#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "train/scoring/class_climbs.hpp"
#include "train/scoring/class_scores.hpp"

namespace procsim {

// How often a sample of one class carries the label of another: an estimated class-to-class noise matrix that
// is never written out.
//
// A class loses its label at a rate of its own, shrunk towards its family's, that towards the larger
// family's, and so on to the whole. Where the lost label goes is a mixture over the steps that it climbs in
// the class tree: uniform over the other classes below the ancestor one step up (siblings), two steps up, …,
// below the root (any class); the shares of the steps are estimated. Pairs that are confused more often than
// that shift it in proportion to their number.
struct LabelNoise {
  double rate = 0.1;               // over all classes
  std::vector<double> class_rate;  // a class each
  std::vector<double> step_share;  // of the errors, by step; adds up to 1
  std::vector<double>
      spread;  // classes × (steps + 1): probability of one class at that climb, given an error
  std::vector<double> class_wrong;                       // expected errors of each class
  std::unordered_map<std::uint64_t, double> pair_wrong;  // expected errors, true class · classes + given

  // Before anything is known: a tenth wrong, every step as likely.
  explicit LabelNoise(const ClassClimbs& climbs);
  // P(label = given | class = truth); `climb` is that of the two classes.
  double transition(std::int64_t truth, std::int64_t given, int climb) const;
  // The same for a class that nothing is known of.
  double transition_from_elsewhere() const { return elsewhere; }

  double elsewhere = 0;
  std::int64_t classes = 0;
  int steps = 1;
};

// What is believed of a sample's true class once its label is taken into account.
struct ClassBeliefs {
  std::vector<double> kept;  // a candidate each; 0 at the given class
  double given = 0;
  double rest = 0;      // any class that is neither
  double evidence = 0;  // P(label | sample) under the model
};

struct NoiseFitOptions {
  int rounds = 60;          // of expectation and maximisation, at most
  double tolerance = 2e-4;  // of the rate: stop when it moves less
};

// A softmax scale and a noise model that make the given labels most likely, found by expectation
// maximisation: P(label | x) = Σ_c softmax(scale · score)_c · P(label | c).
struct NoiseFit {
  double scale = 20;
  LabelNoise noise;
  double log_likelihood = 0;  // mean over the samples that could be judged

  ClassBeliefs beliefs(const ClassScores& scores, std::int64_t sample, std::int64_t given,
                       const ClassClimbs& climbs) const;
};

// Samples whose class is unsupported (NaN) are left out. Deterministic; one thread. `start`: a fit of similar
// scores, with the same climbs, to begin with, so that few rounds are needed.
NoiseFit fit_noise(const ClassScores& scores, std::span<const std::int64_t> given, const ClassClimbs& climbs,
                   const NoiseFitOptions& options = {}, const NoiseFit* start = nullptr);

}  // namespace procsim
