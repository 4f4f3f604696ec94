#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "data/files/atomic_file.hpp"
#include "train/loop/train_run.hpp"
#include "train/samples/train_data.hpp"
#include "train/settings/config.hpp"

namespace procsim::train {

// On disk, in config.json of an exported model: never changes its meaning. scripts/load_embedder.py checks
// it.
inline constexpr const char* kEmbedderFormat = "embedder/1";

// What can be done with a trained model. `checkpoint` is a run's last or best file.

// Recall@K, R-precision, mAP@R and NMI on the test samples.
std::vector<std::pair<std::string, double>> evaluate_checkpoint(const TrainConfig& config,
                                                                const TrainData& data,
                                                                const std::filesystem::path& checkpoint,
                                                                const MachineOptions& machine,
                                                                const TrainObserver& observer);

struct SheetOptions {
  std::filesystem::path folder;
  std::int64_t queries = 8;     // test samples, evenly spread
  std::int64_t neighbours = 8;  // beside each query
  int side = 112;               // pixels of a picture
};
// Retrieval sheets: one PNG per query, the query and its nearest test samples, those of its class framed in
// green and the others in red. Returns the files.
std::vector<std::filesystem::path> write_retrieval_sheets(const TrainConfig& config, const TrainData& data,
                                                          const std::filesystem::path& checkpoint,
                                                          const MachineOptions& machine,
                                                          const TrainObserver& observer,
                                                          const SheetOptions& options);

// Parquet with sample_id, path, split, label and embedding (a list of `dimension` floats). `split`: train,
// test, all.
std::int64_t write_embeddings(const TrainConfig& config, const TrainData& data,
                              const std::filesystem::path& checkpoint, const MachineOptions& machine,
                              const TrainObserver& observer, const std::string& split,
                              const std::filesystem::path& out, IfExists if_exists);

// A folder with model.safetensors (the Python library's parameter names, the head included) and config.json
// (how to build and feed the model): what scripts/load_embedder.py reads.
void export_model(const TrainConfig& config, const std::filesystem::path& checkpoint, bool trust_code,
                  const std::filesystem::path& folder, IfExists if_exists);

}  // namespace procsim::train
