#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "data/measures/detection.hpp"

namespace procsim::train {

// Counts over equal bins of [from, to]; values outside go to the first and last bin.
struct Histogram {
  double from = 0;
  double to = 1;
  std::vector<std::int64_t> clean;  // samples whose label is right, or whose truth is not known
  std::vector<std::int64_t> noisy;  // samples known to be wrong

  void add(double value, bool wrong);
};

// What an epoch left behind. Epoch 0 is the start model, before any step.
struct EpochRecord {
  std::int64_t epoch = 0;
  std::vector<std::pair<std::string, double>> metrics;  // name → value, in the order of metrics.csv
  Histogram proxy_loss;
  Histogram sigma;

  const double* find(std::string_view name) const;
};

nlohmann::ordered_json to_json(const EpochRecord& record);
EpochRecord epoch_record_from_json(const nlohmann::ordered_json& json);

// What happens during an epoch, step by step, and what is remembered of each sample from the last time it was
// seen.
struct EpochTally {
  double loss = 0;
  double proxy_loss = 0;
  double sigma = 0;
  double threshold = 0;
  std::int64_t samples = 0;
  std::int64_t steps = 0;
  std::int64_t thresholds = 0;  // steps that had one
  std::int64_t below = 0;       // samples at or under τ
  DetectionCounts detection;
};

nlohmann::ordered_json to_json(const EpochTally& tally);
EpochTally epoch_tally_from_json(const nlohmann::ordered_json& json);

// A run's metrics as a person's spreadsheet and as lines of JSON: epochs × names, absent values left out.
std::string metrics_csv(std::span<const EpochRecord> records);
std::string metrics_jsonl(std::span<const EpochRecord> records);

}  // namespace procsim::train
