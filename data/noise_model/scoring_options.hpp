#pragma once

#include <array>
#include <cstdint>
#include <filesystem>

#include <nlohmann/json_fwd.hpp>

namespace procsim {

// Every number of the scoring that was chosen by trying rather than derived, by stage. docs/scoring-method.md
// says on which data they were chosen; `procsim-train score --scoring-options FILE` takes others from a JSON
// file, so that a benchmark can vary each.

// Discriminants over prepared rows (train/scoring/discriminant.hpp, cross_fit.hpp).
struct DiscriminantOptions {
  std::int64_t dimensions = 512;   // principal components that are kept of longer features
  double shrinkage = 0.3;          // least shrinkage of the covariance within classes, towards a round one
  std::int64_t candidates = 48;    // classes kept a sample; the others enter as a normal distribution
  std::int64_t all_classes = 768;  // classes up to which a sample is compared with each: it costs as much
  std::int64_t shortlist = 64;     // as to compare it with so many of more, and the others together
  double least_scatter = 1e-5;     // within classes, of the whole: less is what floats round off
  double least_weight = 1e-3;      // of a class, in samples: below it there is no mean to speak of
  double least_belief = 0.01;      // in a class that a sample is shared out to
};

// Distances between classes where there is no class tree: of the classes that look alike, nearest first, how
// many are one step away, up to two steps, up to three (data/noise_model/class_distances.hpp).
struct LikenessOptions {
  std::int64_t one_step = 1;
  std::int64_t two_steps = 3;
  std::int64_t three_steps = 10;

  std::array<std::int64_t, 3> reach() const { return {one_step, two_steps, three_steps}; }
};

// Errors that go to one or two classes, wherever these stand in the tree (dominant_confusions.hpp).
struct DominantConfusionOptions {
  // Counted by the class that a sample looks most like: confusions of the classifier are among them.
  double counted_errors = 5;
  double counted_part = 0.25;  // of all errors of the true class
  // Expected once a noise model tells the two apart.
  double expected_errors = 3;
  double expected_part = 0.25;
  double few = 0.05;        // share of all errors up to which they are not chosen again
  std::int64_t rounds = 2;  // times that they are chosen again
};

// The noise matrix and its fit by expectation maximisation (data/noise_model/label_noise.hpp).
struct NoiseModelOptions {
  std::int64_t rounds = 60;       // of expectation and maximisation, at most
  std::int64_t samples = 200000;  // that they look at; all count in the last pass
  double tolerance = 2e-4;        // of the rate: stop when it moves less,
  double scale_tolerance = 2e-3;  // and the scale's logarithm less than this
  double first_scale = 20;        // of the softmax, to begin with
  double first_rate = 0.1;        // of wrong labels, to begin with
  // Samples of prior weight with which a class's rate shrinks to its family's: the most, where classes differ
  // no more than by chance, and the least.
  double most_rate_strength = 1000;
  double least_rate_strength = 30;
  double few_errors = 0.04;       // a rate below which classes differ in the classifier's confusions instead
  double pair_strength = 1000;    // errors of prior weight: a pair shrinks to what the tree says
  double pair_threshold = 0.02;   // beliefs up to it are not counted as errors of a pair
  double size_strength = 0.1;     // mean classes of prior weight: class sizes shrink to the mean
  double alike_sizes = 0.05;      // relative variance of class sizes up to which they count as equal
  double least_share = 1e-3;      // of the errors that any step keeps, so that no label is impossible
  double sparse_share = 0.08;     // of the errors that a step must explain to count at all
  std::int64_t sparse_round = 6;  // when that is decided: by then the shares have found their order
  double least_curvature = 0.2;   // of the softmax's own, so that a step of the scale stays bounded
  double scale_step = 0.5;        // most of the scale's logarithm in a round
};

// Temperature scaling: a set with many ambiguous labels makes the scores too sure (suspicions.hpp).
struct TemperatureOptions {
  double slope = 1.75;        // 1 − slope · ambiguous part of the set is the factor of every log-odds,
  double least_factor = 0.4;  // but no less than this
};

// Classes of few labels, where a wrong one casts suspicion on the right ones (suspicions.hpp).
struct SmallClassOptions {
  std::int64_t labels = 3;          // in larger classes the right ones outvote the wrong ones
  std::int64_t least_samples = 30;  // of such classes that a rate is taken from
};

// Numbers of wrong labels and their 90 % intervals (data/noise_model/noise_estimates.hpp).
struct EstimateOptions {
  double doubt = 0.35;             // of the ambiguous mass that may lie on the wrong side,
  double class_doubt = 0.6;        // within one class, where errors of the model do not cancel,
  double few_labels = 5;           // and this much more over the labels of a class: means of few are unsure
  double floor = 0.01;             // of the samples, on either side
  double least_pair = 0.5;         // expected errors of a pair that is named
  std::int64_t most_pairs = 1000;  // that are named
  double least_belief = 1e-3;      // smaller ones are not kept by pair: memory
};

// Two readings of where features and labels disagree (noise_readings.hpp).
struct ReadingOptions {
  double far_apart = 0.05;  // of the labels, between the readings: from it on only an audit decides
};

// Samples that belong to no class (outliers.hpp).
struct OutlierOptions {
  std::int64_t rounds = 100;      // of expectation and maximisation
  double first_separation = 5;    // of the far distribution, in deviations of the near one,
  double usual_share = 0.002;     // and its share: to begin with, and where there is no second one
  double least_separation = 1.5;  // in deviations of both, from which there is a second one
};

// What is listed beside the probabilities (label_scores.hpp, rankings.hpp).
struct ListingOptions {
  std::int64_t rivals = 5;
  std::int64_t neighbours = 5;           // of the given class and of the suggested one
  std::int64_t duplicates = 20;          // near-duplicates, of any class
  std::int64_t shown_rivals = 4;         // with nearest samples of their own: a reviewer has as many keys
  std::int64_t rival_neighbours = 3;     // of each of them
  double duplicate_similarity = 0.98;    // cosine from which two samples count as near-duplicates
  std::int64_t duplicate_groups = 3;     // most probable classes that near-duplicates are sought in
  std::int64_t exact_duplicates = 2048;  // samples up to which all pairs are compared
  std::int64_t ranking_neighbours = 10;  // of the k-nearest-neighbour ranking of --compare-sigma
  double sigma_lambda = 0.1;             // λ of σ where no training has set one
  double little_agreement = 0.3;         // of features and labels, below which a note says so
};

// Predictions of two ensembles made one (train/scoring/ensemble.hpp).
struct PoolingOptions {
  double unnamed = 1e-7;  // what is left for a class that one of them does not name
};

struct ScoringOptions {
  DiscriminantOptions discriminant{};
  LikenessOptions likeness{};
  DominantConfusionOptions dominant_confusions{};
  NoiseModelOptions noise{};
  PoolingOptions pooling{};
  TemperatureOptions temperature{};
  SmallClassOptions small_classes{};
  EstimateOptions estimates{};
  ReadingOptions readings{};
  OutlierOptions outliers{};
  ListingOptions listing{};

  // Throws UsageError that names the stage, the field, its value and what it must be.
  void validate() const;
};

// {"discriminant": {"dimensions": 512, …}, …}: every field.
nlohmann::ordered_json to_json(const ScoringOptions& options);

// From a JSON file as to_json writes it; what it leaves out keeps its default. Throws UsageError with the
// file, the field and the nearest name for what is unknown, of another type, or out of range.
ScoringOptions read_scoring_options(const std::filesystem::path& path);

}  // namespace procsim
