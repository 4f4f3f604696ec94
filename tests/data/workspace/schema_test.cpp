#include "data/workspace/schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <unistd.h>

#include "tests/data/workspace/workspace_rows.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

namespace fs = std::filesystem;
using test::sql;
using test::TemporaryFolder;
using ::testing::HasSubstr;

// The schema that programs of version 1 made, written down once and never taken from the code.
constexpr const char* kVersion1 = R"sql(
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
PRAGMA user_version = 1;
)sql";

// What such programs left: a trained run, scores of foreign features, a run that is being trained, imported
// scores, and a run that was scored again and so moved to the end.
constexpr const char* kRows = R"sql(
INSERT INTO datasets VALUES ('birds','folder','birds','/data/birds',3,30,'{}',1);
INSERT INTO taxonomies VALUES (1,'birds','taxonomies/birds.json','t0',2);
INSERT INTO taxonomy_nodes VALUES (1,0,'bird.n.01','bird','',''),(1,1,'gull.n.02','gull','a sea bird','k');
INSERT INTO taxonomy_edges VALUES (1,1,0,1);
INSERT INTO taxonomy_classes VALUES (1,0,'Herring Gull',1,'head-noun');
INSERT INTO label_sets VALUES (1,'birds','labels/birds.parquet','d0','base','as published',30,0,3),
                              (2,'birds','labels/noisy.parquet','d1','inject','semantic 0.2',30,6,4);
INSERT INTO runs VALUES
  (1,'birds-1','birds',2,'runs/birds-1','runs/birds-1/scores.parquet','done',
   '{"loss":"proxy-anchor","confidence":"none","epochs":4}'),
  (3,'clip','birds',2,'','/elsewhere/clip.parquet','done','{"loss":"score","confidence":"none"}'),
  (4,'birds-2','birds',2,'runs/birds-2','','running','{"loss":"proxy-anchor","confidence":"none","epochs":4}'),
  (5,'mine','birds',1,'','/elsewhere/mine.scores.parquet','done',
   '{"loss":"import-scores","confidence":"none"}'),
  (6,'odd','birds',2,'runs/odd','runs/odd/scores.parquet','done','{"loss":"score","confidence":"none"}'),
  (7,'birds-3','birds',2,'runs/birds-3','runs/birds-3/scores.parquet','done','not JSON');
INSERT INTO metrics VALUES (1,0,'recall@1',0.25),(1,1,'recall@1',0.5),(6,1,'recall@1',0.5);
INSERT INTO decisions (label_set,sample,reviewer,verdict,new_label,new_node,source,time,previous,hash)
  VALUES ('d1',7,'ann','keep',NULL,'','queue','2026-01-01T00:00:00.000Z','','h');
UPDATE clock SET ticks = 4;
)sql";

struct OldWorkspace {
  TemporaryFolder folder;
  OldWorkspace() {
    fs::create_directory(folder / ".procsim");
    EXPECT_EQ(sql(folder.path(), kVersion1), "");
    EXPECT_EQ(sql(folder.path(), kRows), "");
  }
};

std::vector<std::string> names(const std::vector<ScoresRecord>& scores) {
  std::vector<std::string> found;
  for (const auto& one : scores) found.push_back(one.name);
  return found;
}

std::vector<std::string> names(const std::vector<RunRecord>& runs) {
  std::vector<std::string> found;
  for (const auto& run : runs) found.push_back(run.name);
  return found;
}

TEST(Schema, ScoresThatVersion1KeptAsRunsBecomeScores) {
  const OldWorkspace old;
  const auto workspace = Workspace::open(old.folder.path());
  EXPECT_THAT(names(workspace.runs()), ::testing::ElementsAre("birds-3", "odd", "birds-2", "birds-1"))
      << "a run with metrics was trained, whatever its configuration";
  EXPECT_THAT(names(workspace.scores("birds")),
              ::testing::ElementsAre("birds-3", "odd", "mine", "clip", "birds-1"));
  const auto clip = workspace.scores_named("clip");
  EXPECT_EQ(clip->run, std::nullopt);
  EXPECT_EQ(clip->made_by, "score");
  EXPECT_EQ(clip->path, "/elsewhere/clip.parquet");
  EXPECT_EQ(clip->label_set, 2);
  EXPECT_EQ(clip->dataset, "birds");
  EXPECT_EQ(workspace.scores_named("mine")->made_by, "import-scores");
  EXPECT_EQ(workspace.scores_named("mine")->label_set, 1);
}

TEST(Schema, TrainedRunsOfVersion1KeepTheirScoresMetricsAndPlace) {
  const OldWorkspace old;
  const auto workspace = Workspace::open(old.folder.path());
  const auto run = workspace.run("birds-1");
  ASSERT_TRUE(run);
  EXPECT_EQ(run->id, 1);
  EXPECT_EQ(run->path, "runs/birds-1");
  EXPECT_EQ(run->status, "done");
  EXPECT_EQ(run->config, R"({"loss":"proxy-anchor","confidence":"none","epochs":4})");
  EXPECT_EQ(workspace.metrics(1).size(), 2U);
  EXPECT_EQ(workspace.scores_of_run(1)->path, "runs/birds-1/scores.parquet");
  EXPECT_EQ(workspace.scores_of_run(1)->made_by, "train");
  EXPECT_EQ(workspace.scores_of_run(4), std::nullopt) << "it has none yet";
  EXPECT_EQ(workspace.decisions("d1").size(), 1U);
  EXPECT_EQ(workspace.newest_taxonomy("birds")->digest, "t0");
  EXPECT_EQ(workspace.newest_label_set("birds")->digest, "d1");
}

TEST(Schema, WhatIsPutAfterAMigrationIsNewerThanAllBefore) {
  const OldWorkspace old;
  auto workspace = Workspace::open(old.folder.path());
  workspace.put_scores({0, "new", "", 1, "new.parquet", "", "score", std::nullopt});
  EXPECT_EQ(workspace.newest_scores("birds")->name, "new");
  EXPECT_EQ(names(Workspace::open(old.folder.path()).scores("")).size(), 6U) << "migrated once";
}

TEST(Schema, OfTwoRunsThatNameOneFileTheLaterWroteIt) {
  const OldWorkspace old;
  sql(old.folder.path(), "UPDATE runs SET scores = '/elsewhere/clip.parquet' WHERE name = 'birds-1'");
  const auto workspace = Workspace::open(old.folder.path());
  EXPECT_EQ(workspace.scores_of_run(1), std::nullopt);
  EXPECT_EQ(workspace.scores_named("clip")->path, "/elsewhere/clip.parquet");
}

TEST(Schema, MigratedAndNewWorkspacesHaveTheSameTables) {
  const OldWorkspace old;
  Workspace::open(old.folder.path());
  const TemporaryFolder fresh;
  Workspace::open_or_create(fresh.path());
  const std::string tables = "SELECT group_concat(name) FROM (SELECT name FROM sqlite_master ORDER BY name)";
  EXPECT_EQ(sql(old.folder.path(), tables), sql(fresh.path(), tables));
  EXPECT_THAT(sql(fresh.path(), tables), ::testing::Not(HasSubstr("taxonomy_nodes")));
  EXPECT_EQ(sql(old.folder.path(), "PRAGMA user_version"), "3");
}

TEST(Schema, ADatabaseOfAnotherProgramIsLeftAsItIs) {
  const TemporaryFolder folder;
  fs::create_directories(folder / ".procsim");
  sql(folder.path(), "CREATE TABLE bookmarks (address TEXT)");
  const auto before = test::read_all(folder / ".procsim/workspace.db");
  for (const auto& opening : {&Workspace::open, &Workspace::open_or_create})
    EXPECT_THAT(test::error_of([&] { opening(folder.path()); }),
                ::testing::AllOf(HasSubstr("workspace.db is a database of another program"),
                                 HasSubstr("'bookmarks'")));
  EXPECT_EQ(test::read_all(folder / ".procsim/workspace.db"), before);
}

TEST(Schema, ADatabaseThatWasCutShortIsNotTakenForANewOne) {
  const TemporaryFolder folder;
  Workspace::open_or_create(folder.path());
  const auto file = folder / ".procsim/workspace.db";
  for (const std::uintmax_t size : {300, 100, 99, 1}) {
    fs::resize_file(file, size);
    for (const auto& opening : {&Workspace::open, &Workspace::open_or_create})
      EXPECT_NE(test::error_of([&] { opening(folder.path()); }), "(no error)") << size;
    EXPECT_EQ(fs::file_size(file), size) << "left as it is";
  }
}

// An archive of an older program: nobody may write there, and it is read all the same.
TEST(Schema, AnOldWorkspaceThatCannotBeWrittenIsReadAndStaysAsItIs) {
  const OldWorkspace old;
  const auto home = old.folder / ".procsim";
  const auto permit = [&](fs::perm_options change) {
    // Root may write all the same, but not through a mount that is read only.
    if (::geteuid() != 0) {
      fs::permissions(home, fs::perms::owner_write, change);
      return true;
    }
    if (change == fs::perm_options::add) return ::umount(home.c_str()) == 0;
    return ::mount(home.c_str(), home.c_str(), nullptr, MS_BIND, nullptr) == 0 &&
           ::mount(nullptr, home.c_str(), nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr) == 0;
  };
  if (!permit(fs::perm_options::remove)) GTEST_SKIP() << "root may write everywhere and may not mount here";
  {
    auto workspace = Workspace::open(old.folder.path());
    EXPECT_FALSE(workspace.is_writable());
    EXPECT_EQ(workspace.newest_scores("birds")->name, "birds-3");
    EXPECT_THAT(test::error_of([&] { workspace.put_dataset(test::dataset("cars")); }),
                HasSubstr("cannot write to the folder"));
  }
  EXPECT_TRUE(permit(fs::perm_options::add));
  EXPECT_EQ(sql(old.folder.path(), "PRAGMA user_version"), "1");
}

}  // namespace
}  // namespace procsim
