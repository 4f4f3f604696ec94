#pragma once

#include <filesystem>
#include <string_view>

#include "train/loop/train_run.hpp"
#include "train/scoring/label_scores.hpp"

namespace procsim::train {

// To be said of scores whose features come from a model that was trained on the labels it judges.
inline constexpr std::string_view kLeaningFeatures =
    "the model was trained on these labels and leans towards them: more labels may be wrong than stated; "
    "features of another model (score --no-train, --embeddings) do not lean";

// After a run that finished: embeds the training samples with its model, judges their labels
// (train/scoring/label_scores.hpp) and writes the scores file. The model's weights have seen all labels; the
// heads that judge a sample have not, and with config.fold_models neither have the networks
// (train/runs/fold_models.hpp, docs/scoring-method.md). False: asked to stop while those were trained;
// nothing is written, and the same call goes on.
bool write_run_scores(const TrainConfig& config, const TrainData& data, const RunFiles& files,
                      const MachineOptions& machine, const TrainResult& result,
                      const TrainObserver& observer);

// The scores file of `scores`, which appears with the other changes. `source`: what the embeddings come from,
// for the provenance. Returns its SHA-256.
std::string write_scores(const TrainData& data, const LabelScores& scores,
                         const nlohmann::ordered_json& source, const std::filesystem::path& path,
                         IfExists if_exists, FileChanges& changes);

// What training remembered, from the scores file of a run; empty when there is none or it is of other
// labels.
struct StoredMemory {
  std::vector<float> proxy_loss;
  std::vector<float> sigma;

  TrainingMemory view() const { return {proxy_loss, sigma}; }
};
StoredMemory read_training_memory(const TrainData& data, const std::filesystem::path& scores);

}  // namespace procsim::train
