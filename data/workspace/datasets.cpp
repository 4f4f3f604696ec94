#include "data/workspace/state.hpp"

namespace procsim {
namespace {

DatasetRecord dataset_from(const Statement& row) {
  return {row.text(0), row.text(1), row.text(2), row.text(3), row.integer(4), row.integer(5), row.text(6)};
}
constexpr const char* kDatasetColumns =
    "SELECT name, kind, source, root, classes, samples, options FROM datasets ";

}  // namespace

void Workspace::put_dataset(const DatasetRecord& record) {
  Transaction transaction(state_->database);
  Statement(state_->database, "INSERT OR REPLACE INTO datasets VALUES (?,?,?,?,?,?,?,?)")
      .bind(record.name)
      .bind(record.kind)
      .bind(record.source)
      .bind(record.root)
      .bind(record.classes)
      .bind(record.samples)
      .bind(record.options)
      .bind(tick(state_->database))
      .run();
  transaction.commit();
}

std::optional<DatasetRecord> Workspace::dataset(std::string_view name) const {
  Statement statement(state_->database, joined({kDatasetColumns, "WHERE name = ?"}));
  statement.bind(name);
  return first_of(statement, dataset_from);
}

std::optional<DatasetRecord> Workspace::current_dataset() const {
  Statement statement(state_->database, joined({kDatasetColumns, "ORDER BY used DESC LIMIT 1"}));
  return first_of(statement, dataset_from);
}

std::vector<std::string> Workspace::dataset_names() const {
  Statement statement(state_->database, joined({kDatasetColumns, "ORDER BY used DESC"}));
  std::vector<std::string> names;
  while (statement.step()) names.push_back(dataset_from(statement).name);
  return names;
}

}  // namespace procsim
