#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/noise_model/scoring_options.hpp"
#include "train/models/torch.hpp"
#include "train/scoring/discriminant.hpp"
#include "train/scoring/prepared_rows.hpp"
#include "train/scoring/shortlists.hpp"

namespace procsim::train {

// Rows of samples as judges look at them, and the classes that a judge compares each with. These are found
// once, for all folds and rounds: the classes nearest by a discriminant of all labels, and the sample's own.
// So a label has a say in which classes its sample is compared with one by one, but in no score.
struct JudgedRows {
  PreparedRows rows;
  Shortlists shortlists;

  // `embeddings`: a row a sample, which must stay as they are meanwhile. `threads` has no effect on the
  // result.
  JudgedRows(const torch::Tensor& embeddings, std::span<const std::int64_t> ids,
             std::span<const std::int64_t> classes, std::int64_t class_count,
             const DiscriminantOptions& options, int threads);
};

// Scores samples with a model; a sample's scores stand at its index. `classes`: the given ones, of all
// samples. Works in blocks, so that no table of samples × classes ever exists.
void score_samples(const Discriminant& model, const JudgedRows& rows, std::span<const std::int64_t> samples,
                   std::span<const std::int64_t> classes, ClassScores& scores);
// Discriminant::nearest of samples, in blocks.
std::vector<double> nearest_of_samples(const Discriminant& model, const JudgedRows& rows,
                                       std::span<const std::int64_t> samples);

}  // namespace procsim::train
