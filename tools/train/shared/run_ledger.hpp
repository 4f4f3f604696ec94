#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "data/workspace/workspace.hpp"
#include "tools/train/shared/run_plan.hpp"
#include "train/reports/epoch_record.hpp"
#include "train/samples/train_data.hpp"

namespace procsim::tools {

// A run's row in the workspace; where there is none, or another process writes, nothing happens. Plan and
// data must outlive it.
class RunLedger {
 public:
  RunLedger(const RunPlan& plan, const train::TrainData& data);

  // From here on the run is listed, and what it replaces is not.
  void begin();
  bool has_begun() const { return begun_; }

  void epoch(const train::EpochRecord& epoch);
  void finish(const std::string& status, const std::filesystem::path& scores);
  // As if the run had never begun.
  void forget();

 private:
  std::int64_t label_set_id();

  const RunPlan& plan_;
  const train::TrainData& data_;
  RunRecord record_;
  std::unique_ptr<Workspace> workspace_;
  bool begun_ = false;
};

}  // namespace procsim::tools
