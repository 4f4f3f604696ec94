#include <chrono>

#include <fmt/format.h>

#include "data/base/digest.hpp"
#include "data/base/utc_time.hpp"
#include "data/workspace/state.hpp"

namespace procsim {

std::string decision_hash(const DecisionRecord& decision) {
  // Lengths before values: no two different rows give the same text.
  const auto label = decision.new_label ? std::to_string(*decision.new_label) : std::string("none");
  std::string text;
  for (const auto& field :
       {decision.label_set, std::to_string(decision.sample), decision.reviewer, decision.verdict, label,
        decision.new_node, decision.source, decision.time, decision.previous}) {
    text += fmt::format("{}:{}\n", field.size(), field);
  }
  return sha256_hex(text);
}

DecisionRecord Workspace::append_decision(DecisionRecord decision) {
  auto& database = state_->database;
  Transaction transaction(database);
  {
    // Not from the last row: where rows were removed, the next one shows it.
    Statement head(database, "SELECT hash FROM decisions_head");
    decision.previous = head.step() ? head.text(0) : std::string{};
  }
  if (decision.time.empty()) decision.time = utc_milliseconds_text(std::chrono::system_clock::now());
  decision.hash = decision_hash(decision);
  Statement statement(
      database,
      "INSERT INTO decisions (label_set, sample, reviewer, verdict, new_label, new_node, source, time, "
      "previous, hash) VALUES (?,?,?,?,?,?,?,?,?,?)");
  statement.bind(decision.label_set).bind(decision.sample).bind(decision.reviewer).bind(decision.verdict);
  statement.bind(decision.new_label).bind(decision.new_node).bind(decision.source).bind(decision.time);
  statement.bind(decision.previous).bind(decision.hash).run();
  decision.id = database.last_row();
  Statement(database, "UPDATE decisions_head SET rows = rows + 1, hash = ?").bind(decision.hash).run();
  transaction.commit();
  return decision;
}

DecisionsHead Workspace::decisions_head() const {
  Statement statement(state_->database, "SELECT rows, hash FROM decisions_head");
  if (!statement.step()) return {};
  return {statement.integer(0), statement.text(1)};
}

std::vector<DecisionRecord> Workspace::decisions(std::string_view label_set) const {
  Statement statement(
      state_->database,
      "SELECT id, label_set, sample, reviewer, verdict, new_label, new_node, source, time, previous, "
      "hash FROM decisions WHERE ?1 = '' OR label_set = ?1 ORDER BY id");
  statement.bind(label_set);
  return all_of(statement, [](const Statement& row) {
    DecisionRecord decision;
    decision.id = row.integer(0);
    decision.label_set = row.text(1);
    decision.sample = row.integer(2);
    decision.reviewer = row.text(3);
    decision.verdict = row.text(4);
    if (!row.is_null(5)) decision.new_label = row.integer(5);
    decision.new_node = row.text(6);
    decision.source = row.text(7);
    decision.time = row.text(8);
    decision.previous = row.text(9);
    decision.hash = row.text(10);
    return decision;
  });
}

}  // namespace procsim
