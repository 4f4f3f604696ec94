#pragma once

#include <cstdint>
#include <vector>

#include "train/reports/epoch_record.hpp"

namespace procsim::train {

// How far a run has come.
struct RunState {
  std::int64_t epoch = 0;  // finished epochs
  std::int64_t step = 0;   // finished steps of the next
  std::vector<EpochRecord> records;
  std::int64_t best_epoch = 0;
  double best_recall = -1;
};

}  // namespace procsim::train
