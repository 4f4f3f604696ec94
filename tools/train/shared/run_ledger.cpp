#include "tools/train/shared/run_ledger.hpp"

#include <cmath>
#include <vector>

#include <nlohmann/json.hpp>

#include "data/base/process.hpp"
#include "tools/program/score_record.hpp"

namespace procsim::tools {

RunLedger::RunLedger(const RunPlan& plan, const train::TrainData& data)
    : plan_(plan), data_(data), record_(plan.record) {
  if (plan.workspace_folder && plan.writes)
    workspace_ = std::make_unique<Workspace>(Workspace::open(*plan.workspace_folder));
}

void RunLedger::begin() {
  begun_ = true;
  if (!workspace_) return;
  record_.status = "running";
  record_.process = this_process();
  record_.path = workspace_->stored_path(plan_.files.folder);
  record_.config = to_json(plan_.config).dump();
  if (plan_.resume && record_.id != 0) {
    workspace_->update_run(record_);
    return;
  }
  if (record_.label_set == 0) record_.label_set = label_set_id();
  if (record_.dataset.empty()) record_.dataset = data_.info.dataset;
  workspace_->put_together([&] {
    // The name is free, or --force allowed to replace what it stands for.
    if (const auto replaced = workspace_->run(record_.name)) workspace_->remove_run(replaced->id);
    record_.id = workspace_->put_run(record_);
  });
}

void RunLedger::epoch(const train::EpochRecord& epoch) {
  if (!workspace_) return;
  std::vector<MetricRecord> rows;
  for (const auto& [name, value] : epoch.metrics)
    if (std::isfinite(value)) rows.push_back({record_.id, epoch.epoch, name, value});
  workspace_->put_metrics(rows);
}

void RunLedger::finish(const std::string& status, const std::filesystem::path& scores) {
  if (!workspace_) return;
  record_.status = status;
  workspace_->put_together([&] {
    workspace_->update_run(record_);
    if (!scores.empty()) remember_scores_of_run(*workspace_, record_, scores, "train");
  });
}

void RunLedger::forget() {
  if (workspace_) workspace_->remove_run(record_.id);
}

// Labels that were given as a file become known to the workspace, so that later commands find them.
std::int64_t RunLedger::label_set_id() {
  if (const auto known = workspace_->label_set_by_digest(data_.digest)) return known->id;
  LabelSetRecord set;
  set.dataset = record_.dataset;
  set.path = workspace_->stored_path(std::filesystem::absolute(plan_.labels));
  set.digest = data_.digest;
  set.kind = "import";
  set.summary = plan_.labels.filename().string();
  set.rows = static_cast<std::int64_t>(data_.train.size() + data_.test.size());
  return workspace_->put_label_set(set);
}

}  // namespace procsim::tools
