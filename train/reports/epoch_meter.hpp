#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "data/measures/detection.hpp"
#include "train/reports/epoch_record.hpp"
#include "train/reports/quantity.hpp"
#include "train/reports/step_outcome.hpp"

namespace procsim::train {

// Adds up what the steps of an epoch report, and remembers the last value of every column for every training
// sample.
class EpochMeter {
 public:
  // `wrong`: for each of the `samples` training samples whether its label differs from the truth; empty where
  // that is not known.
  EpochMeter(std::vector<Quantity> quantities, std::size_t samples, std::vector<std::uint8_t> wrong);

  const std::vector<Quantity>& quantities() const { return quantities_; }

  // `samples`: the places of the batch's samples in the training data.
  void add(std::span<const std::int64_t> samples, const StepOutcome& outcome);
  // What was said of the whole set, a value for every training sample; counts once in the epoch's means.
  void add_set(const Columns& columns);

  // Means of the epoch so far: the objective, and every quantity that has been seen, in order.
  double objective() const;
  std::vector<std::pair<const Quantity*, double>> means() const;

  // Puts the epoch's means, histograms and what they found of the truth into the record, and starts anew.
  void finish(EpochRecord& record);

  // The last value of a column with this meaning for every training sample, NaN where a sample has not been
  // seen; empty where the method has no such column.
  std::span<const float> last_seen(Quantity::Meaning meaning) const;

  // For checkpoints: sums as JSON, remembered columns by name. `restore` throws Error that names `source`
  // where these are of another method or of other samples.
  nlohmann::ordered_json sums() const;
  const std::map<std::string, std::vector<float>>& columns() const { return columns_; }
  void restore(const nlohmann::ordered_json& sums, std::map<std::string, std::vector<float>> columns,
               const std::string& source);

 private:
  struct Sum {
    double total = 0;
    std::int64_t count = 0;
  };
  const Quantity* find(Quantity::Meaning meaning) const;
  void add_columns(std::span<const std::int64_t> samples, const Columns& columns);
  void add_histograms(EpochRecord& record) const;
  void add_doubted(EpochRecord& record) const;
  void add_detection(EpochRecord& record) const;
  std::pair<double, double> means_by_truth(const std::vector<float>& values) const;

  std::vector<Quantity> quantities_;
  std::vector<std::uint8_t> wrong_;
  std::map<std::string, std::vector<float>> columns_;
  Sum objective_;
  std::map<std::string, Sum> sums_;
  DetectionCounts detection_;
};

}  // namespace procsim::train
