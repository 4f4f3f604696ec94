#pragma once

#include <vector>

#include "data/labels/scores.hpp"
#include "train/models/torch_types.hpp"
#include "train/samples/train_data.hpp"
#include "train/scoring/cross_fit.hpp"

namespace procsim::train {

// Writes beside each row the samples that explain it: the nearest of its given class, the nearest of the
// suggested one, those of the next best rivals, and near-duplicates under another label. `embeddings` as
// score_labels takes them; `fit` says in which classes near-duplicates are sought where there are too many
// samples to compare all pairs.
void fill_neighbours(const TrainData& data, const torch::Tensor& embeddings, const CrossFit& fit,
                     const ListingOptions& options, std::vector<ScoreRow>& rows);

}  // namespace procsim::train
