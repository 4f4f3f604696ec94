#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/scores.hpp"
#include "train/torch.hpp"
#include "train/train_data.hpp"

namespace procsim {

// What is known of the training samples at the end of a run.
struct ScoringInput {
  const TrainData& data;
  torch::Tensor embeddings;           // a unit row per training sample, centre crops, final model
  torch::Tensor class_cosines;        // samples × classes, cosine to each class's proxy
  std::span<const float> proxy_loss;  // in training, from the last time a sample was seen; NaN: never
  std::span<const float> sigma;
};

struct ScoringOptions {
  std::int64_t rivals = 5;
  std::int64_t neighbours = 5;
  float duplicate_similarity = 0.98F;  // cosine from which two images count as near-duplicates
};

// A row per training sample, in the order of the data. The one place that turns a run into scores.
//
// In-sample: the model and its proxies have seen the labels that they judge here. The probability of each
// class is a softmax over proxy cosines, its temperature fitted by maximum likelihood to the given labels; a
// label is as likely wrong as the given class is unlikely.
std::vector<ScoreRow> score_samples(const ScoringInput& input, const ScoringOptions& options = {});

// The softmax scale t ≥ 0 that maximises the likelihood of `labels` (dense classes) under softmax(t ·
// cosines).
double fit_softmax_scale(const torch::Tensor& cosines, std::span<const std::int64_t> labels);

}  // namespace procsim
