#pragma once

#include <optional>
#include <span>

#include "train/reports/epoch_record.hpp"
#include "train/reports/run_files.hpp"
#include "train/reports/run_page.hpp"

namespace procsim::train {

// What a run leaves for people: metrics.csv, metrics.jsonl, TensorBoard's event file and the page, each
// replaced as a whole. `run`, `config` and `data` as the page wants them.
void write_reports(const RunFiles& files, const RunSummary& run, const TrainConfig& config,
                   const TrainData& data, std::span<const EpochRecord> records,
                   const GuidanceView* guidance = nullptr);

}  // namespace procsim::train
