#pragma once

// What the sources of the workspace share: its database and the ways to read and write rows. Included by
// them only.

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/workspace/sqlite.hpp"
#include "data/workspace/workspace.hpp"

namespace procsim {

struct Workspace::State {
  // Opens `folder` (…/.procsim) and brings its schema up to date.
  explicit State(std::filesystem::path folder, bool made_now = false);
  std::filesystem::path home;
  bool is_new;
  mutable Database database;
};

// A counter, not the time: "newest" must not depend on clocks. Call inside a transaction.
std::int64_t tick(Database& database);

// Records of files that stood under `path` before this one follow them to where they are kept.
void move_replaced(Database& database, std::string_view table, const std::string& path,
                   const std::string& digest);

// Brings back the files that a killed process had begun to change. Returns how many steps were undone.
std::size_t undo_interrupted_changes(Database& database);

// Pieces of a statement put together.
std::string joined(std::initializer_list<std::string_view> pieces);

// Runs a statement that ends with RETURNING id.
std::int64_t returned_id(Statement& statement);

template <typename Convert>
auto first_of(Statement& statement, Convert convert) -> std::optional<decltype(convert(statement))> {
  if (!statement.step()) return std::nullopt;
  return convert(statement);
}

template <typename Convert>
auto all_of(Statement& statement, Convert convert) {
  std::vector<decltype(convert(statement))> found;
  while (statement.step()) found.push_back(convert(statement));
  return found;
}

}  // namespace procsim
