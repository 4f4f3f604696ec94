#include "data/workspace/state.hpp"

namespace procsim {
namespace {

LabelSetRecord label_set_from(const Statement& row) {
  return {row.integer(0), row.text(1), row.text(2),    row.text(3),
          row.text(4),    row.text(5), row.integer(6), row.integer(7)};
}
constexpr const char* kLabelSetColumns =
    "SELECT id, dataset, path, digest, kind, summary, rows, changed FROM label_sets ";

}  // namespace

std::int64_t Workspace::put_label_set(const LabelSetRecord& record) {
  auto& database = state_->database;
  Transaction transaction(database);
  move_replaced(database, "label_sets", record.path, record.digest);
  // One that was kept aside and is back under its name stays the same row: runs refer to it.
  Statement(database, "UPDATE OR IGNORE label_sets SET path = ? WHERE path = ? AND digest = ?")
      .bind(record.path)
      .bind(kept_path(record.path, record.digest).string())
      .bind(record.digest)
      .run();
  Statement statement(
      database,
      "INSERT INTO label_sets (dataset, path, digest, kind, summary, rows, changed, used) "
      "VALUES (?,?,?,?,?,?,?,?) ON CONFLICT (path, digest) DO UPDATE SET used = excluded.used "
      "RETURNING id");
  statement.bind(record.dataset).bind(record.path).bind(record.digest).bind(record.kind).bind(record.summary);
  statement.bind(record.rows).bind(record.changed).bind(tick(database));
  const auto id = returned_id(statement);
  transaction.commit();
  return id;
}

std::optional<LabelSetRecord> Workspace::newest_label_set(std::string_view dataset,
                                                          std::string_view kind) const {
  Statement statement(
      state_->database,
      joined({kLabelSetColumns, "WHERE dataset = ?1 AND (?2 = '' OR kind = ?2) ORDER BY used DESC LIMIT 1"}));
  statement.bind(dataset).bind(kind);
  return first_of(statement, label_set_from);
}

std::optional<LabelSetRecord> Workspace::label_set_by_digest(std::string_view digest) const {
  Statement statement(state_->database,
                      joined({kLabelSetColumns, "WHERE digest = ? ORDER BY used DESC LIMIT 1"}));
  statement.bind(digest);
  return first_of(statement, label_set_from);
}

std::vector<LabelSetRecord> Workspace::label_sets(std::string_view dataset) const {
  Statement statement(state_->database, joined({kLabelSetColumns, "WHERE dataset = ? ORDER BY used DESC"}));
  statement.bind(dataset);
  return all_of(statement, label_set_from);
}

}  // namespace procsim
