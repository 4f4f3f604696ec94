#pragma once

#include <span>
#include <string>
#include <vector>

#include "train/reports/epoch_record.hpp"

namespace procsim::train {

// A run among others.
struct ComparedRun {
  std::string name;
  std::string method;
  std::string labels;  // what it was trained on, for people
  std::vector<EpochRecord> records;
};

// Several runs as one HTML page that needs nothing else: a plot for each metric that at least two of them
// report, with a line for each run, and what each came to last.
std::string compare_page(std::span<const ComparedRun> runs);

}  // namespace procsim::train
