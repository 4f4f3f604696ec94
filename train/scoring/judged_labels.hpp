#pragma once

#include <vector>

#include "data/labels/scores.hpp"
#include "data/noise_model/noise_estimates.hpp"
#include "data/noise_model/scoring_options.hpp"
#include "train/samples/train_data.hpp"
#include "train/scoring/ensemble.hpp"

namespace procsim::train {

constexpr double kLeastProbability = 1e-7;  // probabilities enter logarithms no smaller than this

// What ensembles think of every training label, pooled where there are several: a row each with
// probabilities, suspicion, margin and rivals. `pairs` gets the beliefs by pair of classes, `best_margin` a
// sample's log p(best other class) − log p(given).
std::vector<ScoreRow> judge_labels(const TrainData& data, std::vector<Ensemble> ensembles,
                                   const ScoringOptions& options, PairBeliefs& pairs,
                                   std::vector<double>& best_margin);

}  // namespace procsim::train
