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
  std::string dataset{};
  std::string noise{};  // the column that it counts in: the labels without the seed of their noise
};

// Several runs as one HTML page that needs nothing else: a plot for each metric that at least two of them
// report, with a line for each run, what each came to last, and the harmonic mean of that over the columns of
// noise for every method that has two or more of them.
std::string compare_page(std::span<const ComparedRun> runs);

}  // namespace procsim::train
