#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "data/base/progress.hpp"
#include "data/noise_model/class_distances.hpp"
#include "data/noise_model/folds.hpp"
#include "data/noise_model/label_noise.hpp"
#include "data/noise_model/scoring_options.hpp"
#include "train/scoring/judged_rows.hpp"

namespace procsim::train {

struct CrossFitOptions {
  int folds = 5;
  std::uint64_t seed = 1;
  int threads = 0;               // 0: one per core; no effect on the result
  std::optional<FoldPlan> plan;  // where the samples have been dealt to folds already
  ScoringOptions scoring;
  Progress progress;
};

// What models that never saw a sample's label say about it.
struct CrossFit {
  FoldPlan plan;
  ClassScores scores;               // a row a sample
  std::vector<NoiseFit> fold_fits;  // scale and noise that a fold's samples are judged with
  std::vector<ClassDistances>
      fold_distances;  // how classes lie to each other, as far as known without the fold
  // How far each sample is from the nearest class, by the discriminant that scored it.
  std::vector<double> nearest;
};

// Splits the samples into folds and judges each fold by what the others say:
//
//   1. for every two folds a discriminant is made from the labels of all the rest; it scores both;
//   2. for a fold f, the scores that its partners got without f and without themselves say how noisy the
//      labels outside f are and which of them to believe (fit_noise);
//   3. a discriminant is made from the samples outside f, each shared out among the classes it is believed to
//      belong to, and scores f;
//   4. the scores that all other folds got so say with which scale and noise matrix f's scores are read.
//
// So no model that scores a sample has seen the label of any sample of its fold, nor has it been told which
// labels to believe by one that has. Scale and noise matrix, a few numbers shared by thousands of samples,
// are fitted on the labels of other folds only; the scores that they are fitted to come from models that have
// seen this fold's labels, as they had to. Where `distances` know no tree (one step to every class), classes
// that look alike outside f take its place.
//
// `tables`: one for all folds, or a table a fold, made by a network that has not seen the fold's labels
// either: fold f is then judged within table f. `classes` 0 … distances.classes()−1. Deterministic for a
// seed, whatever the number of threads and the order of other work.
//
// Judges look at the classes of each sample's shortlist one by one and at all others together. The rounds of
// fit_noise look at options.scoring.noise.samples samples drawn by seed and id, the last one at all.
CrossFit cross_fit(std::span<const JudgedRows> tables, std::span<const std::int64_t> ids,
                   std::span<const std::int64_t> classes, const ClassDistances& distances,
                   const CrossFitOptions& options);

}  // namespace procsim::train
