#include "data/workspace/state.hpp"

namespace procsim {
namespace {

ScoresRecord scores_from(const Statement& row) {
  ScoresRecord record{row.integer(0), row.text(1), row.text(2), row.integer(3),
                      row.text(4),    row.text(5), row.text(6), std::nullopt};
  if (!row.is_null(7)) record.run = row.integer(7);
  return record;
}
constexpr const char* kScoresColumns =
    "SELECT scores.id, scores.name, label_sets.dataset, label_set, scores.path, scores.digest, made_by, run "
    "FROM scores JOIN label_sets ON label_sets.id = label_set ";
constexpr const char* kNewestScores = " ORDER BY scores.used DESC";

}  // namespace

std::int64_t Workspace::put_scores(const ScoresRecord& record) {
  auto& database = state_->database;
  Transaction transaction(database);
  Statement statement(
      database,
      "INSERT INTO scores (name, label_set, path, digest, made_by, run, used) VALUES (?,?,?,?,?,?,?) "
      "ON CONFLICT (path) DO UPDATE SET name = excluded.name, label_set = excluded.label_set, "
      "digest = excluded.digest, made_by = excluded.made_by, run = excluded.run, used = excluded.used "
      "RETURNING id");
  statement.bind(record.name).bind(record.label_set).bind(record.path).bind(record.digest);
  statement.bind(record.made_by).bind(record.run).bind(tick(database));
  const auto id = returned_id(statement);
  transaction.commit();
  return id;
}

std::optional<ScoresRecord> Workspace::newest_scores(std::string_view dataset) const {
  Statement statement(state_->database,
                      joined({kScoresColumns, "WHERE label_sets.dataset = ?", kNewestScores}));
  statement.bind(dataset);
  return first_of(statement, scores_from);
}

std::optional<ScoresRecord> Workspace::scores_of_run(std::int64_t run) const {
  Statement statement(state_->database, joined({kScoresColumns, "WHERE run = ?", kNewestScores}));
  statement.bind(run);
  return first_of(statement, scores_from);
}

std::optional<ScoresRecord> Workspace::scores_named(std::string_view name) const {
  Statement statement(state_->database, joined({kScoresColumns, "WHERE scores.name = ?", kNewestScores}));
  statement.bind(name);
  return first_of(statement, scores_from);
}

std::vector<ScoresRecord> Workspace::scores(std::string_view dataset) const {
  Statement statement(state_->database,
                      joined({kScoresColumns, "WHERE ?1 = '' OR label_sets.dataset = ?1", kNewestScores}));
  statement.bind(dataset);
  return all_of(statement, scores_from);
}

}  // namespace procsim
