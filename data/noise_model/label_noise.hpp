#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "data/noise_model/class_distances.hpp"
#include "data/noise_model/class_scores.hpp"
#include "data/noise_model/scoring_options.hpp"

namespace procsim {

// Behind the best, in logarithms: a share below 1e-10 counts as none.
inline constexpr double kNegligible = 23;

// The place of a pair of classes in tables by pair.
inline std::uint64_t pair_key(std::int64_t classes, std::int64_t truth, std::int64_t given) {
  return static_cast<std::uint64_t>(truth * classes + given);
}

// How often a sample of one class carries the label of another: an estimated class-to-class noise matrix that
// is never written out.
//
// A class loses its label at a rate of its own, shrunk towards its family's, that towards the larger
// family's, and so on to the whole. Where the lost label goes is a mixture over tree distances: uniform over
// the other classes below the ancestor one step up (siblings), two steps up, …, below the root (any class);
// the shares of the steps are estimated. Pairs that are confused more often than that shift it in proportion
// to their number.
struct LabelNoise {
  double rate = 0;                 // over all classes
  std::vector<double> class_rate;  // a class each
  std::vector<double> step_share;  // of the errors, by step; adds up to 1
  std::vector<double>
      spread;  // classes × (steps + 1): probability of one class at that distance, given an error
  std::vector<double> class_wrong;                       // expected errors of each class
  std::unordered_map<std::uint64_t, double> pair_wrong;  // expected errors, true class · classes + given

  // Before anything is known: options.first_rate wrong, every step as likely.
  explicit LabelNoise(const ClassDistances& distances, const NoiseModelOptions& options = {});
  // P(label = given | class = truth); `distance` is that of the two classes.
  double transition(std::int64_t truth, std::int64_t given, int distance) const;
  // The same for a class that nothing is known of.
  double transition_from_elsewhere() const { return elsewhere; }

  // Makes the tables anew that follow from rates and shares.
  void tabulate(const ClassDistances& distances, double least_share);

  double elsewhere = 0;
  double pair_strength = 0;  // of the options
  std::int64_t classes = 0;
  int steps = 1;
};

// What the features alone say of a sample's class.
struct ClassShares {
  std::vector<double> kept;  // of every candidate
  double given = 0;          // of the given class, kept or not; 0 when nothing is known of it
  double rest = 0;           // of all classes that are neither kept nor given
};

// What is believed of a sample's true class once its label is taken into account.
struct ClassBeliefs {
  std::vector<double> kept;  // a candidate each; 0 at the given class
  double given = 0;
  double rest = 0;      // any class that is neither
  double evidence = 0;  // P(label | sample) under the model
};

// A softmax scale and a noise model that make the given labels most likely, found by expectation
// maximisation: P(label | x) = Σ_c share_c(x) · P(label | c).
//
// The shares are a softmax of scale · score, each class weighted by how often it occurs. Classes that were
// not kept enter as if their scores were normally distributed.
struct NoiseFit {
  double scale = NoiseModelOptions{}.first_scale;
  LabelNoise noise;
  std::vector<double> prior;  // how often each class occurs, 1 on average; empty: all alike
  double log_likelihood = 0;  // mean over the samples that could be judged

  void shares(const ClassScores& scores, std::int64_t sample, std::int64_t given, ClassShares& result) const;
  ClassBeliefs beliefs(const ClassScores& scores, std::int64_t sample, std::int64_t given,
                       const ClassDistances& distances) const;
  // The same where the shares are known.
  ClassBeliefs beliefs(const ClassScores& scores, std::int64_t sample, std::int64_t given,
                       const ClassDistances& distances, const ClassShares& known) const;
};

// The samples that a fit looks at, laid out for its many passes.
class NoiseSamples {
 public:
  // Room for `most` samples, of each of which `width` classes are kept. `distances` must outlive it.
  NoiseSamples(const ClassDistances& distances, std::int64_t width, std::int64_t most);
  // A sample whose given class is unsupported (NaN) is left out.
  void add(const ClassScores& scores, std::int64_t sample, std::int64_t given);
  void clear();

  const ClassDistances& distances() const { return *distances_; }
  std::int64_t width() const { return width_; }
  struct Sample {
    std::int32_t given;
    std::int32_t given_at;  // among the kept classes, −1: not kept
    float given_behind;     // the best score minus the given class's
    float rest_behind;      // the same for the mean of all that were not kept
    float rest_variance;
    std::int32_t rest_count;
  };
  const std::vector<Sample>& samples() const { return samples_; }
  // Of every kept class: how far it is behind the best, and class · (steps + 1) + distance to the given one.
  const float* behind(std::size_t sample) const { return behind_.data() + sample * row(); }
  const std::int32_t* cell(std::size_t sample) const { return cell_.data() + sample * row(); }

 private:
  std::size_t row() const { return static_cast<std::size_t>(width_); }

  const ClassDistances* distances_;
  std::int64_t width_;
  std::vector<Sample> samples_;
  std::vector<float> behind_;
  std::vector<std::int32_t> cell_;
};

}  // namespace procsim
