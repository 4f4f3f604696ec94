#include "data/workspace/state.hpp"

namespace procsim {

std::int64_t Workspace::put_taxonomy(const TaxonomyRecord& record) {
  auto& database = state_->database;
  Transaction transaction(database);
  move_replaced(database, "taxonomies", record.path, record.digest);
  Statement statement(
      database,
      "INSERT INTO taxonomies (dataset, path, digest, used) VALUES (?,?,?,?) "
      "ON CONFLICT (digest) DO UPDATE SET path = excluded.path, used = excluded.used RETURNING id");
  statement.bind(record.dataset).bind(record.path).bind(record.digest).bind(tick(database));
  const auto id = returned_id(statement);
  transaction.commit();
  return id;
}

std::optional<TaxonomyRecord> Workspace::newest_taxonomy(std::string_view dataset) const {
  Statement statement(
      state_->database,
      "SELECT id, dataset, path, digest FROM taxonomies WHERE dataset = ? ORDER BY used DESC LIMIT 1");
  statement.bind(dataset);
  return first_of(statement, [](const Statement& row) {
    return TaxonomyRecord{row.integer(0), row.text(1), row.text(2), row.text(3)};
  });
}

}  // namespace procsim
