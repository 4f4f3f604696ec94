#include "data/workspace/workspace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/data/workspace/workspace_rows.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

namespace fs = std::filesystem;
using test::error_of;
using test::sql;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;

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

TEST(Workspace, MissingForeignAndNewerOnesAreErrorsWithThePath) {
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
