#pragma once

#include <span>
#include <string>
#include <vector>

#include "train/reports/epoch_record.hpp"
#include "train/samples/train_data.hpp"
#include "train/settings/config.hpp"

namespace procsim::train {

// What the guidance believes and what the model sees, between classes.
struct GuidanceView {
  std::vector<std::string> classes;                     // some classes, ordered by the taxonomy
  std::vector<std::vector<std::string>> pseudo_labels;  // of each, best first; empty where there are none
  bool labels_of_samples = false;                       // those that most samples of the class have
  std::vector<float> guidance;                          // classes × classes cosines
  std::vector<float> visual;                            // the same of the embeddings' class means
};

// A run as one HTML page that needs nothing else: loss and retrieval curves, the distribution of the proxy
// loss with τ as it moves over the epochs (right and wrong labels apart where the truth is known), detection,
// σ, settings.
std::string run_page(const std::string& name, const TrainConfig& config, const TrainData& data,
                     std::span<const EpochRecord> records, const GuidanceView* guidance = nullptr);

}  // namespace procsim::train
