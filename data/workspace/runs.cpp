#include "data/base/process.hpp"
#include "data/workspace/state.hpp"

namespace procsim {
namespace {

// A run whose process is gone was interrupted, whatever it could still say of itself.
RunRecord run_from(const Statement& row) {
  RunRecord record{row.integer(0), row.text(1), row.text(2), row.integer(3),
                   row.text(4),    row.text(5), row.text(6), row.text(7)};
  if (record.status == "running" && !is_running(record.process)) record.status = "interrupted";
  return record;
}
constexpr const char* kRunColumns =
    "SELECT id, name, dataset, label_set, path, status, config, process FROM runs ";

}  // namespace

std::int64_t Workspace::put_run(const RunRecord& record) {
  Transaction transaction(state_->database);
  Statement statement(
      state_->database,
      "INSERT INTO runs (name, dataset, label_set, path, status, config, process) VALUES (?,?,?,?,?,?,?)");
  statement.bind(record.name).bind(record.dataset).bind(record.label_set).bind(record.path);
  statement.bind(record.status).bind(record.config).bind(record.process).run();
  const auto id = state_->database.last_row();
  transaction.commit();
  return id;
}

void Workspace::update_run(const RunRecord& record) {
  Statement statement(
      state_->database,
      "UPDATE runs SET name = ?, dataset = ?, label_set = ?, path = ?, status = ?, config = ?, process = ? "
      "WHERE id = ?");
  statement.bind(record.name).bind(record.dataset).bind(record.label_set).bind(record.path);
  statement.bind(record.status).bind(record.config).bind(record.process).bind(record.id).run();
}

void Workspace::remove_run(std::int64_t id) {
  Statement statement(state_->database, "DELETE FROM runs WHERE id = ?");
  statement.bind(id).run();
}

std::optional<RunRecord> Workspace::run(std::string_view name) const {
  Statement statement(state_->database, joined({kRunColumns, "WHERE name = ?"}));
  statement.bind(name);
  return first_of(statement, run_from);
}

std::vector<RunRecord> Workspace::runs() const {
  Statement statement(state_->database, joined({kRunColumns, "ORDER BY id DESC"}));
  return all_of(statement, run_from);
}

void Workspace::put_metrics(const std::vector<MetricRecord>& metrics) {
  Transaction transaction(state_->database);
  Statement statement(state_->database, "INSERT OR REPLACE INTO metrics VALUES (?,?,?,?)");
  for (const auto& metric : metrics) {
    statement.bind(metric.run).bind(metric.epoch).bind(metric.name).bind(metric.value).run();
  }
  transaction.commit();
}

std::vector<MetricRecord> Workspace::metrics(std::int64_t run) const {
  Statement statement(state_->database,
                      "SELECT run, epoch, name, value FROM metrics WHERE run = ? ORDER BY epoch, name");
  statement.bind(run);
  return all_of(statement, [](const Statement& row) {
    return MetricRecord{row.integer(0), row.integer(1), row.text(2), row.real(3)};
  });
}

}  // namespace procsim
