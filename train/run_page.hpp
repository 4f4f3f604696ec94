#pragma once

#include <span>
#include <string>

#include "train/config.hpp"
#include "train/epoch_record.hpp"
#include "train/train_data.hpp"

namespace procsim {

// A run as one HTML page that needs nothing else: loss and retrieval curves, the distribution of the proxy
// loss with τ as it moves over the epochs (right and wrong labels apart where the truth is known), detection,
// σ, settings.
std::string run_page(const std::string& name, const TrainConfig& config, const TrainData& data,
                     std::span<const EpochRecord> records);

}  // namespace procsim
