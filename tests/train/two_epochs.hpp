#pragma once

#include <vector>

#include "train/reports/epoch_record.hpp"

namespace procsim::train {

// The start and the first epoch of a run.
inline std::vector<EpochRecord> two_epochs() {
  EpochRecord start;
  start.metrics = {{"recall@1", 0.4}};
  EpochRecord first;
  first.epoch = 1;
  first.metrics = {{"loss", 1.25}, {"threshold", 2}, {"detection_auroc", 0.9}, {"recall@1", 0.5}};
  for (auto* record : {&start, &first}) {
    record->histograms = {{"proxy_loss", {0, 4, {1, 2, 3, 4}, {0, 1, 0, 9}}},
                          {"sigma", {0, 1, {1, 1}, {2, 2}}}};
  }
  return {start, first};
}

}  // namespace procsim::train
