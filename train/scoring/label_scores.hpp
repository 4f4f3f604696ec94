#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "data/labels/scores.hpp"
#include "train/models/torch_types.hpp"
#include "train/samples/train_data.hpp"
#include "train/scoring/cross_fit.hpp"

namespace procsim::taxonomy {
class Taxonomy;
}

namespace procsim::train {

struct FoldEmbeddings;  // train/scoring/fold_embeddings.hpp

struct LabelScoreOptions {
  CrossFitOptions cross_fit;
  int rounds = 4;  // of cross-fitting, each with other folds; probabilities are the means
  // Where there are networks of folds, they say how many labels are wrong, and have half the say in which.
  std::shared_ptr<const FoldEmbeddings> fold_models;
};

// What training remembered of each sample (the paper's loss and σ); NaN where it never saw the sample, empty
// where there was no training.
struct TrainingMemory {
  std::span<const float> proxy_loss;
  std::span<const float> sigma;
};

struct LabelScores {
  std::vector<ScoreRow> rows;  // a training sample each, in the order of the data
  ScoreEstimates estimates;
  nlohmann::ordered_json method;    // for the provenance: how the scores came about
  std::vector<double> best_margin;  // log p(best other class) − log p(given): a ranking to compare with
  std::vector<std::string> notes;   // for people: what could not be judged as the rest was
};

// Judges every training label by models that never saw it (train/scoring/cross_fit.hpp). The one place that
// turns embeddings and labels into scores: `embeddings` is a row per training sample, any scale, from any
// model. `taxonomy` may be null; where it is given it must know the data's labels.
//
// - p_given and the rivals' probabilities: softmax over the cross-fitted class scores, the label not taken
//   into account;
// - p_mislabelled: one minus the belief in the given class once the label is taken into account through the
//   estimated noise matrix; suspicion: its log-odds; suggested: the class believed in most besides the given
//   one, the first of the rivals, which are in the order of belief;
// - with fold_models: predictions are pooled from theirs and from the heads' on `embeddings`, then moved so
// that
//   as many labels are wrong as the networks say, who alone have not been taught to believe them;
// - a sample that is alone in its class cannot be judged: p_mislabelled is the estimated rate, fold −1.
LabelScores score_labels(const TrainData& data, const torch::Tensor& embeddings,
                         const taxonomy::Taxonomy* taxonomy, const TrainingMemory& memory,
                         const LabelScoreOptions& options);

// How the training classes lie in a taxonomy; one step from each other without one.
ClassDistances class_distances_of(const TrainData& data, const taxonomy::Taxonomy* taxonomy);

}  // namespace procsim::train
