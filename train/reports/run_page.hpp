#pragma once

#include <span>
#include <string>
#include <vector>

#include "train/reports/epoch_record.hpp"
#include "train/reports/quantity.hpp"
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

// What a page tells of a run beside its epochs.
struct RunSummary {
  std::string name;
  std::string method;  // in a line
  std::vector<Quantity> quantities{};
};

// A run as one HTML page that needs nothing else: retrieval curves, the objective and whatever else the
// method reports, the distribution of what it doubts and trusts over the epochs (right and wrong labels apart
// where the truth is known), detection, settings.
std::string run_page(const RunSummary& run, const TrainConfig& config, const TrainData& data,
                     std::span<const EpochRecord> records, const GuidanceView* guidance = nullptr);

}  // namespace procsim::train
