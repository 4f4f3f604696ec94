#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

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
  std::vector<std::pair<std::string, double>> metrics;        // name → value, in the order of metrics.csv
  std::vector<std::pair<std::string, Histogram>> histograms;  // of columns, by name

  const double* find(std::string_view name) const;
  const Histogram* histogram(std::string_view column) const;
};

nlohmann::ordered_json to_json(const EpochRecord& record);
EpochRecord epoch_record_from_json(const nlohmann::ordered_json& json);

// A run's metrics as a person's spreadsheet and as lines of JSON: epochs × names, absent values left out.
std::string metrics_csv(std::span<const EpochRecord> records);
std::string metrics_jsonl(std::span<const EpochRecord> records);

}  // namespace procsim::train
