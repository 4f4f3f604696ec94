#include "data/workspace/schema.hpp"

#include <fmt/format.h>

#include "data/base/error.hpp"

namespace procsim {
namespace {

// A step per version: user_version says how many steps a database has seen. Steps are never changed, only
// added: databases of users have gone through them.
constexpr const char* kMigrations[] = {
    R"sql(
CREATE TABLE datasets (
  name TEXT PRIMARY KEY, kind TEXT NOT NULL, source TEXT NOT NULL, root TEXT NOT NULL,
  classes INTEGER NOT NULL, samples INTEGER NOT NULL, options TEXT NOT NULL, used INTEGER NOT NULL);
CREATE TABLE taxonomies (
  id INTEGER PRIMARY KEY, dataset TEXT NOT NULL, path TEXT NOT NULL, digest TEXT NOT NULL UNIQUE,
  used INTEGER NOT NULL);
CREATE TABLE taxonomy_nodes (
  taxonomy INTEGER NOT NULL REFERENCES taxonomies(id) ON DELETE CASCADE, node INTEGER NOT NULL,
  node_id TEXT NOT NULL, name TEXT NOT NULL, gloss TEXT NOT NULL, sense_key TEXT NOT NULL,
  PRIMARY KEY (taxonomy, node)) WITHOUT ROWID;
CREATE TABLE taxonomy_edges (
  taxonomy INTEGER NOT NULL, child INTEGER NOT NULL, parent INTEGER NOT NULL, in_tree INTEGER NOT NULL,
  PRIMARY KEY (taxonomy, child, parent),
  FOREIGN KEY (taxonomy, child) REFERENCES taxonomy_nodes(taxonomy, node) ON DELETE CASCADE,
  FOREIGN KEY (taxonomy, parent) REFERENCES taxonomy_nodes(taxonomy, node) ON DELETE CASCADE) WITHOUT ROWID;
CREATE TABLE taxonomy_classes (
  taxonomy INTEGER NOT NULL, label INTEGER NOT NULL, name TEXT NOT NULL, node INTEGER NOT NULL, how TEXT NOT NULL,
  PRIMARY KEY (taxonomy, label),
  FOREIGN KEY (taxonomy, node) REFERENCES taxonomy_nodes(taxonomy, node) ON DELETE CASCADE) WITHOUT ROWID;
CREATE TABLE label_sets (
  id INTEGER PRIMARY KEY, dataset TEXT NOT NULL, path TEXT NOT NULL, digest TEXT NOT NULL, kind TEXT NOT NULL,
  summary TEXT NOT NULL, rows INTEGER NOT NULL, changed INTEGER NOT NULL, used INTEGER NOT NULL,
  UNIQUE (path, digest));
CREATE TABLE runs (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, dataset TEXT NOT NULL,
  label_set INTEGER NOT NULL REFERENCES label_sets(id), path TEXT NOT NULL, scores TEXT NOT NULL,
  status TEXT NOT NULL, config TEXT NOT NULL);
CREATE TABLE metrics (
  run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE, epoch INTEGER NOT NULL, name TEXT NOT NULL,
  value REAL, PRIMARY KEY (run, epoch, name)) WITHOUT ROWID;
CREATE TABLE decisions (
  id INTEGER PRIMARY KEY AUTOINCREMENT, label_set TEXT NOT NULL, sample INTEGER NOT NULL, reviewer TEXT NOT NULL,
  verdict TEXT NOT NULL, new_label INTEGER, new_node TEXT NOT NULL, source TEXT NOT NULL, time TEXT NOT NULL,
  previous TEXT NOT NULL, hash TEXT NOT NULL);
CREATE INDEX decisions_by_set ON decisions(label_set, sample);
CREATE TRIGGER decisions_stay_unchanged BEFORE UPDATE ON decisions
  BEGIN SELECT RAISE(ABORT, 'decisions are append-only'); END;
CREATE TRIGGER decisions_stay BEFORE DELETE ON decisions
  BEGIN SELECT RAISE(ABORT, 'decisions are append-only'); END;
CREATE TABLE clock (ticks INTEGER NOT NULL);
INSERT INTO clock VALUES (0);
)sql",
    R"sql(
CREATE TABLE scores (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, label_set INTEGER NOT NULL REFERENCES label_sets(id),
  path TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, made_by TEXT NOT NULL,
  run INTEGER REFERENCES runs(id) ON DELETE CASCADE, used INTEGER NOT NULL);
CREATE INDEX scores_by_run ON scores(run);
-- Version 1 kept scores without a training as runs with a configuration of two words and no metrics; the
-- configuration of a training has every setting.
CREATE TABLE made_up AS
  SELECT id FROM runs
  WHERE scores <> '' AND id NOT IN (SELECT run FROM metrics) AND
    CASE WHEN json_valid(config) AND json_type(config) = 'object'
      THEN (SELECT count(*) FROM json_each(config)) = 2 AND json_type(config, '$.loss') = 'text' AND
           json_extract(config, '$.confidence') = 'none'
      ELSE 0 END;
-- In the order of the runs; where two name one file, the later one wrote it.
INSERT OR REPLACE INTO scores (name, label_set, path, digest, made_by, run, used)
  SELECT name, label_set, scores, '',
    CASE WHEN id IN made_up THEN json_extract(config, '$.loss') ELSE 'train' END,
    CASE WHEN id IN made_up THEN NULL ELSE id END,
    (SELECT ticks FROM clock) + row_number() OVER (ORDER BY id)
  FROM runs WHERE scores <> '' ORDER BY id;
UPDATE clock SET ticks = max(ticks, (SELECT coalesce(max(used), 0) FROM scores));
DELETE FROM runs WHERE id IN made_up;
DROP TABLE made_up;
ALTER TABLE runs DROP COLUMN scores;
DROP TABLE taxonomy_classes;
DROP TABLE taxonomy_edges;
DROP TABLE taxonomy_nodes;
)sql",
    R"sql(
CREATE TABLE pending_files (
  id INTEGER PRIMARY KEY, process TEXT NOT NULL, target TEXT NOT NULL, temporary TEXT NOT NULL,
  aside TEXT NOT NULL, file TEXT NOT NULL);
CREATE TABLE decisions_head (rows INTEGER NOT NULL, hash TEXT NOT NULL);
INSERT INTO decisions_head
  SELECT count(*), coalesce((SELECT hash FROM decisions ORDER BY id DESC LIMIT 1), '') FROM decisions;
CREATE TRIGGER decisions_head_stays BEFORE DELETE ON decisions_head
  BEGIN SELECT RAISE(ABORT, 'the head of the decisions stays'); END;
ALTER TABLE runs ADD COLUMN process TEXT NOT NULL DEFAULT '';
)sql"};
constexpr std::int64_t kNewestVersion = std::size(kMigrations);

// Version 0 is what SQLite itself writes: a database that has something in it already belongs to somebody
// else.
void require_empty(Database& database) {
  Statement any(database, "SELECT name FROM sqlite_master LIMIT 1");
  if (any.step())
    throw Error(fmt::format("{} is a database of another program (it holds '{}'). Move it away.",
                            database.path().string(), any.text(0)));
}

}  // namespace

void migrate(Database& database) {
  const auto version_of = [&] {
    Statement statement(database, "PRAGMA user_version");
    statement.step();
    return statement.integer(0);
  };
  if (const auto version = version_of(); version > kNewestVersion) {
    throw Error(
        fmt::format("{} is a workspace of version {}, this program reads up to {}. Use a newer program.",
                    database.path().string(), version, kNewestVersion));
  } else if (version < 0) {
    throw Error(fmt::format("{} is not a database of ours (version {}). Move it away.",
                            database.path().string(), version));
  } else if (version == kNewestVersion) {
    return;
  }
  if (database.is_read_only()) database.continue_in_memory();
  Transaction transaction(database);
  const auto version = version_of();  // again, now that nobody else can migrate
  if (version == 0) require_empty(database);
  for (auto step = version; step < kNewestVersion; ++step) database.execute(kMigrations[step]);
  database.execute(fmt::format("PRAGMA user_version = {}", kNewestVersion));
  transaction.commit();
  if (database.is_read_only()) database.execute("PRAGMA query_only = ON");
}

}  // namespace procsim
