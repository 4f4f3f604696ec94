#pragma once

#include <memory>

#include "train/loop/train_run.hpp"
#include "train/scoring/label_scores.hpp"

namespace procsim::train {

// Embeddings of the training samples by config.fold_models networks, each trained like the run itself but
// without the samples of one fold: whoever judges a sample by its fold's network looks through weights that
// never saw its label. Networks are kept below files.folds() and trained only where they are missing or
// unfinished; they cost as much time as that many runs. Null when asked to stop: the same call goes on.
std::shared_ptr<const FoldEmbeddings> train_fold_models(const TrainConfig& config, const TrainData& data,
                                                        const RunFiles& files, const MachineOptions& machine,
                                                        const TrainObserver& observer);

}  // namespace procsim::train
