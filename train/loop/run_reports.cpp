#include "train/loop/run_reports.hpp"

#include "data/files/atomic_file.hpp"
#include "train/reports/event_file.hpp"

namespace procsim::train {

void write_reports(const RunFiles& files, const RunSummary& run, const TrainConfig& config,
                   const TrainData& data, std::span<const EpochRecord> records,
                   const GuidanceView* guidance) {
  write_file(files.folder / "metrics.csv", metrics_csv(records), IfExists::kReplace);
  write_file(files.folder / "metrics.jsonl", metrics_jsonl(records), IfExists::kReplace);
  write_file(files.folder / kEventFileName, tensorboard_events(records), IfExists::kReplace);
  write_file(files.page(), run_page(run, config, data, records, guidance), IfExists::kReplace);
}

}  // namespace procsim::train
