#include "data/workspace/workspace.hpp"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

namespace fs = std::filesystem;
using test::error_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;

// Straight to the database, past our own code.
std::string sql(const fs::path& folder, const std::string& statement) {
  sqlite3* handle = nullptr;
  EXPECT_EQ(sqlite3_open((folder / ".procsim/workspace.db").c_str(), &handle), SQLITE_OK);
  std::string out;
  char* message = nullptr;
  const auto collect = [](void* into, int columns, char** values, char**) {
    for (int i = 0; i < columns; ++i)
      *static_cast<std::string*>(into) += values[i] != nullptr ? values[i] : "null";
    return 0;
  };
  if (sqlite3_exec(handle, statement.c_str(), collect, &out, &message) != SQLITE_OK) out = message;
  sqlite3_free(message);
  sqlite3_close(handle);
  return out;
}

DatasetRecord dataset(const std::string& name) {
  return {name, "folder", name, "/data/" + name, 3, 30, "{}"};
}

LabelSetRecord label_set(const std::string& path, const std::string& digest,
                         const std::string& kind = "inject") {
  return {0, "birds", path, digest, kind, kind + " summary", 30, 6};
}

TEST(Workspace, IsFoundFromFoldersBelowIt) {
  ::unsetenv("PROCSIM_WORKSPACE");  // the user's own
  const TemporaryFolder folder;
  Workspace::open_or_create(folder.path());
  fs::create_directories(folder / "a/b");
  const auto before = fs::current_path();
  fs::current_path(folder / "a/b");
  const auto found = Workspace::find(std::nullopt);
  fs::current_path(before);
  ASSERT_TRUE(found);
  EXPECT_TRUE(fs::equivalent(*found, folder.path()));
}

TEST(Workspace, ExplicitFolderWinsOverTheEnvironment) {
  ::setenv("PROCSIM_WORKSPACE", "/from/environment", 1);
  EXPECT_EQ(Workspace::find(fs::path("/explicit")), fs::path("/explicit"));
  EXPECT_EQ(Workspace::find(std::nullopt), fs::path("/from/environment"));
  ::unsetenv("PROCSIM_WORKSPACE");
}

TEST(Workspace, TheDataSetPutLastIsCurrent) {
  const TemporaryFolder folder;
  auto workspace = Workspace::open_or_create(folder.path());
  EXPECT_EQ(workspace.current_dataset(), std::nullopt);
  workspace.put_dataset(dataset("birds"));
  workspace.put_dataset(dataset("cars"));
  EXPECT_EQ(workspace.current_dataset()->name, "cars");
  workspace.put_dataset(dataset("birds"));
  EXPECT_EQ(workspace.current_dataset()->name, "birds");
  EXPECT_EQ(workspace.dataset("cars")->root, "/data/cars");
  EXPECT_EQ(workspace.dataset("ships"), std::nullopt);
}

TEST(Workspace, LabelSetsAreListedNewestFirstAndFoundByKindAndDigest) {
  const TemporaryFolder folder;
  auto workspace = Workspace::open_or_create(folder.path());
  const auto base = workspace.put_label_set(label_set("labels/base.parquet", "d0", "base"));
  workspace.put_label_set(label_set("labels/a.parquet", "d1"));
  EXPECT_EQ(workspace.newest_label_set("birds")->digest, "d1");
  EXPECT_EQ(workspace.newest_label_set("birds", "base")->id, base);
  EXPECT_EQ(workspace.newest_label_set("cars"), std::nullopt);
  EXPECT_EQ(workspace.label_set_by_digest("d1")->path, "labels/a.parquet");
  EXPECT_EQ(workspace.put_label_set(label_set("labels/base.parquet", "d0", "base")), base)
      << "the same again";
  EXPECT_EQ(workspace.newest_label_set("birds")->digest, "d0") << "made again counts as newest";
  EXPECT_EQ(workspace.label_sets("birds").size(), 2u);
}

TEST(Workspace, TaxonomyIsStoredWithNodesEdgesAndClasses) {
  const TemporaryFolder folder;
  auto workspace = Workspace::open_or_create(folder.path());
  const TaxonomyRecord record{0, "birds", "taxonomies/birds.json", "t0"};
  const auto put = [&] {
    return workspace.put_taxonomy(record,
                                  {{"bird.n.01", "bird", "", ""}, {"gull.n.02", "gull", "a sea bird", "k"}},
                                  {{1, 0, true}}, {{0, "Herring Gull", 1, "head-noun"}});
  };
  const auto id = put();
  EXPECT_EQ(put(), id);
  EXPECT_EQ(workspace.newest_taxonomy("birds")->digest, "t0");
  EXPECT_EQ(sql(folder.path(), "SELECT name, gloss FROM taxonomy_nodes WHERE node = 1"), "gulla sea bird");
  EXPECT_EQ(sql(folder.path(), "SELECT child, parent, in_tree FROM taxonomy_edges"), "101");
  EXPECT_EQ(sql(folder.path(), "SELECT name, how FROM taxonomy_classes"), "Herring Gullhead-noun");
}

TEST(Workspace, ATaxonomyWithADanglingEdgeIsRolledBackWhole) {
  const TemporaryFolder folder;
  auto workspace = Workspace::open_or_create(folder.path());
  EXPECT_THAT(error_of([&] {
                workspace.put_taxonomy({0, "birds", "p", "t1"}, {{"bird.n.01", "bird", "", ""}},
                                       {{7, 0, true}}, {});
              }),
              HasSubstr("FOREIGN KEY"));
  EXPECT_EQ(workspace.newest_taxonomy("birds"), std::nullopt);
}

TEST(Workspace, RunsAndMetrics) {
  const TemporaryFolder folder;
  auto workspace = Workspace::open_or_create(folder.path());
  const auto set = workspace.put_label_set(label_set("labels/a.parquet", "d1"));
  RunRecord run{0, "birds-1", "birds", set, "runs/birds-1", "", "running", "{}"};
  run.id = workspace.put_run(run);
  run.status = "done";
  run.scores = "runs/birds-1/scores.parquet";
  workspace.update_run(run);
  EXPECT_EQ(workspace.newest_run("birds")->scores, "runs/birds-1/scores.parquet");
  EXPECT_EQ(workspace.run("birds-1")->status, "done");
  workspace.put_metrics({{run.id, 1, "recall@1", 0.5}, {run.id, 0, "recall@1", 0.25}});
  workspace.put_metrics({{run.id, 1, "recall@1", 0.75}});
  const auto metrics = workspace.metrics(run.id);
  ASSERT_EQ(metrics.size(), 2u);
  EXPECT_EQ(metrics[0].value, 0.25);
  EXPECT_EQ(metrics[1].value, 0.75);
  EXPECT_THAT(error_of([&] { workspace.put_run(run); }), HasSubstr("UNIQUE")) << "a run's name is taken once";
  workspace.remove_run(run.id);
  EXPECT_FALSE(workspace.run("birds-1"));
  EXPECT_TRUE(workspace.metrics(run.id).empty());
}

TEST(Workspace, ARecordFollowsItsFileWhenAnotherTakesItsName) {
  const TemporaryFolder folder;
  auto workspace = Workspace::open_or_create(folder.path());
  const std::string one(64, '1'), two(64, '2'), path = "labels/birds.parquet";
  const auto put = [&](const std::string& digest) {
    return workspace.put_label_set({0, "birds", path, digest, "base", "", 1, 0});
  };
  const auto path_of = [&](const std::string& digest) { return workspace.label_set_by_digest(digest)->path; };
  const auto first = put(one);
  const auto second = put(two);
  EXPECT_EQ(path_of(one), "labels/birds-11111111.parquet");
  EXPECT_EQ(path_of(two), path);
  EXPECT_EQ(put(one), first) << "back under its name it is the same label set";
  EXPECT_EQ(path_of(one), path);
  EXPECT_EQ(path_of(two), "labels/birds-22222222.parquet");
  EXPECT_EQ(put(two), second);

  workspace.put_taxonomy({0, "birds", "taxonomies/birds.json", one}, {}, {}, {});
  workspace.put_taxonomy({0, "birds", "taxonomies/birds.json", two}, {}, {}, {});
  EXPECT_EQ(sql(folder.path(), "SELECT path FROM taxonomies WHERE id = 1"), "taxonomies/birds-11111111.json");
}

TEST(Workspace, PutsTogetherAreAllThereOrNone) {
  const TemporaryFolder folder;
  auto workspace = Workspace::open_or_create(folder.path());
  const auto put = [&](bool fails) {
    workspace.put_dataset({"birds", "csv", "", "", 1, 1, "{}"});
    workspace.put_label_set({0, "birds", "labels/birds.parquet", "d1", "base", "", 1, 0});
    if (fails) throw Error("full disk");
  };
  EXPECT_EQ(error_of([&] { workspace.put_together([&] { put(true); }); }), "full disk");
  EXPECT_FALSE(workspace.current_dataset());
  EXPECT_FALSE(workspace.newest_label_set("birds"));
  workspace.put_together([&] { put(false); });
  EXPECT_TRUE(workspace.current_dataset());
  EXPECT_TRUE(workspace.newest_label_set("birds"));
}

TEST(Workspace, WhoMadeItCanDiscardItUnlessItIsUsed) {
  const TemporaryFolder folder;
  auto made = Workspace::open_or_create(folder / "one");
  EXPECT_TRUE(made.is_new());
  EXPECT_FALSE(Workspace::open_or_create(folder / "one").is_new());
  made.discard_unused();
  EXPECT_FALSE(std::filesystem::exists(folder / "one/.procsim"));

  auto shared = Workspace::open_or_create(folder / "two");
  Workspace::open_or_create(folder / "two").put_dataset({"birds", "csv", "", "", 1, 1, "{}"});
  shared.discard_unused();
  EXPECT_TRUE(Workspace::open(folder / "two").dataset("birds"));
}

TEST(Workspace, PathsInsideItAreStoredRelative) {
  const TemporaryFolder folder;
  const auto workspace = Workspace::open_or_create(folder.path());
  EXPECT_EQ(workspace.stored_path(folder / ".procsim/labels/a.parquet"), "labels/a.parquet");
  EXPECT_EQ(workspace.resolve("labels/a.parquet"), workspace.home() / "labels/a.parquet");
  EXPECT_EQ(workspace.stored_path("/elsewhere/a.parquet"), "/elsewhere/a.parquet");
  EXPECT_EQ(workspace.resolve("/elsewhere/a.parquet"), fs::path("/elsewhere/a.parquet"));
}

DecisionRecord decision(std::int64_t sample, const std::string& reviewer) {
  DecisionRecord record;
  record.label_set = "d1";
  record.sample = sample;
  record.reviewer = reviewer;
  record.verdict = "relabel";
  record.new_label = 2;
  record.source = "queue";
  return record;
}

TEST(Decisions, AreChainedAndCannotBeChanged) {
  const TemporaryFolder folder;
  auto workspace = Workspace::open_or_create(folder.path());
  const auto first = workspace.append_decision(decision(1, "ann"));
  const auto second = workspace.append_decision(decision(2, "bob"));
  EXPECT_EQ(first.previous, "");
  EXPECT_EQ(second.previous, first.hash);
  EXPECT_EQ(decision_hash(second), second.hash);
  const auto stored = workspace.decisions("d1");
  ASSERT_EQ(stored.size(), 2u);
  EXPECT_EQ(decision_hash(stored[1]), second.hash);
  EXPECT_EQ(stored[1].new_label, 2);
  EXPECT_EQ(workspace.decisions("other").size(), 0u);
  EXPECT_THAT(sql(folder.path(), "UPDATE decisions SET verdict = 'keep'"), HasSubstr("append-only"));
  EXPECT_THAT(sql(folder.path(), "DELETE FROM decisions"), HasSubstr("append-only"));
}

TEST(Decisions, HashDependsOnEveryField) {
  auto base = decision(1, "ann");
  base.time = "2026-01-01T00:00:00.000Z";
  const auto hash = decision_hash(base);
  const auto changed = [&](auto change) {
    auto copy = base;
    change(copy);
    return decision_hash(copy) != hash;
  };
  EXPECT_TRUE(changed([](auto& d) { d.sample = 2; }));
  EXPECT_TRUE(changed([](auto& d) { d.reviewer = "anna"; }));
  EXPECT_TRUE(changed([](auto& d) { d.verdict = "keep"; }));
  EXPECT_TRUE(changed([](auto& d) { d.new_label.reset(); }));
  EXPECT_TRUE(changed([](auto& d) { d.new_node = "x"; }));
  EXPECT_TRUE(changed([](auto& d) { d.source = "audit"; }));
  EXPECT_TRUE(changed([](auto& d) { d.time += "x"; }));
  EXPECT_TRUE(changed([](auto& d) { d.previous = "x"; }));
  EXPECT_TRUE(changed([](auto& d) { d.label_set = "d2"; }));
}

TEST(Decisions, OfFourProcessesAtOnceFormOneChain) {
  const TemporaryFolder folder;
  Workspace::open_or_create(folder.path());
  std::vector<pid_t> children;
  for (int process = 0; process < 4; ++process) {
    const pid_t child = ::fork();
    if (child == 0) {
      auto workspace = Workspace::open(folder.path());
      for (int i = 0; i < 50; ++i) workspace.append_decision(decision(i, std::to_string(process)));
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (const auto child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const auto all = Workspace::open(folder.path()).decisions("");
  ASSERT_EQ(all.size(), 200u);
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_EQ(all[i].previous, all[i - 1].hash);
}

TEST(Workspace, MissingForeignNewerAndReadOnlyAreErrorsWithThePath) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_of([&] { Workspace::open(folder / "none"); }),
              AllOf(HasSubstr("none"), HasSubstr("taxo build")));

  folder.write("damaged/.procsim/workspace.db", std::string(5000, 'x'));
  EXPECT_THAT(error_of([&] { Workspace::open(folder / "damaged"); }),
              AllOf(HasSubstr("workspace.db"), HasSubstr("not a database")));

  Workspace::open_or_create(folder / "newer");
  sql(folder / "newer", "PRAGMA user_version = 99");
  EXPECT_THAT(error_of([&] { Workspace::open(folder / "newer"); }),
              AllOf(HasSubstr("version 99"), HasSubstr("Use a newer program")));

  sql(folder / "newer", "PRAGMA user_version = -7");
  EXPECT_THAT(error_of([&] { Workspace::open(folder / "newer"); }),
              AllOf(HasSubstr("workspace.db"), HasSubstr("not a database of ours")));

  EXPECT_THAT(error_of([&] { Workspace::open_or_create("/proc"); }), HasSubstr("/proc/.procsim"));
}

TEST(Workspace, UsesTheWriteAheadLogAndForeignKeys) {
  const TemporaryFolder folder;
  Workspace::open_or_create(folder.path());
  EXPECT_EQ(sql(folder.path(), "PRAGMA journal_mode"), "wal");
}

}  // namespace
}  // namespace procsim
