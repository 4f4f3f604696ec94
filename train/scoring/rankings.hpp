#pragma once

#include <span>
#include <string>
#include <vector>

#include "data/measures/detection.hpp"
#include "train/models/torch_types.hpp"
#include "train/scoring/label_scores.hpp"

namespace procsim::train {

// A way to rank labels, larger = more suspect.
struct Ranking {
  std::string name;
  std::vector<double> suspicion;
};

// The rankings that `score --compare-sigma` sets side by side:
//   sigma            −σ: of training where there was one, else of the in-sample loss
//   in-sample loss   −log p(given) by a discriminant made from all labels, the judged one included
//   cross-fitted loss, margin, k nearest neighbours, suspicion
std::vector<Ranking> all_rankings(const TrainData& data, const torch::Tensor& embeddings,
                                  const LabelScores& scores, const TrainingMemory& memory,
                                  const LabelScoreOptions& options);

struct RankedDetection {
  std::string name;
  DetectionRanking quality;
};
// Throws Error when the truth is not known or no label is wrong: then there is nothing to compare.
void check_truth(const TrainData& data);
// How well each finds the labels that are known to be wrong. check_truth must hold.
std::vector<RankedDetection> compare_rankings(const TrainData& data, std::span<const Ranking> rankings);

}  // namespace procsim::train
