#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/digest.hpp"
#include "data/base/process.hpp"
#include "data/workspace/workspace.hpp"
#include "tests/data/workspace/workspace_rows.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

using test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(Upkeep, ABackupIsAWorkspaceOfItsOwn) {
  const TemporaryFolder folder, elsewhere;
  auto workspace = Workspace::open_or_create(folder.path());
  workspace.put_dataset(test::dataset("birds"));
  folder.write(".procsim/labels/a.parquet", "labels");
  folder.write(".procsim/labels/.a.parquet.1.0.tmp", "not finished");
  workspace.put_label_set(test::label_set("labels/a.parquet", sha256_hex("labels")));
  workspace.back_up(elsewhere / "copy");
  folder.write(".procsim/labels/b.parquet", "later");
  workspace.put_dataset(test::dataset("later"));

  const auto copy = Workspace::open(elsewhere / "copy");
  EXPECT_EQ(copy.current_dataset()->name, "birds");
  EXPECT_THAT(copy.damage(), IsEmpty());
  EXPECT_EQ(test::read_all(elsewhere / "copy/.procsim/labels/a.parquet"), "labels");
  EXPECT_FALSE(std::filesystem::exists(elsewhere / "copy/.procsim/labels/b.parquet"));
  EXPECT_FALSE(std::filesystem::exists(elsewhere / "copy/.procsim/labels/.a.parquet.1.0.tmp"));
  EXPECT_THAT(test::error_of([&] { workspace.back_up(elsewhere / "copy"); }), HasSubstr("already exists"));
  for (const auto& entry : std::filesystem::directory_iterator(folder / ".procsim"))
    EXPECT_FALSE(entry.path().filename().string().starts_with(".backup")) << entry.path();
}

TEST(Upkeep, FindsRowsThatNameNothingAndListsWhatIsRecorded) {
  const TemporaryFolder folder;
  auto workspace = Workspace::open_or_create(folder.path());
  const auto set = workspace.put_label_set(test::label_set("labels/a.parquet", "d1"));
  workspace.put_run({0, "birds-1", "birds", set, "runs/birds-1", "done", "{}", ""});
  EXPECT_THAT(workspace.damage(), IsEmpty());
  std::vector<std::string> kinds;
  for (const auto& file : workspace.recorded_files()) kinds.push_back(file.kind);
  EXPECT_THAT(kinds, ElementsAre("label set", "run"));
  test::sql(folder.path(), "DELETE FROM label_sets");
  EXPECT_THAT(workspace.damage(), Not(IsEmpty()));
}

TEST(Upkeep, RunsWhoseProcessIsGoneAreMarked) {
  const TemporaryFolder folder;
  auto workspace = Workspace::open_or_create(folder.path());
  const auto set = workspace.put_label_set(test::label_set("labels/a.parquet", "d1"));
  workspace.put_run({0, "gone", "birds", set, "runs/gone", "running", "{}", "1 2 3"});
  workspace.put_run({0, "here", "birds", set, "runs/here", "running", "{}", this_process()});
  EXPECT_THAT(workspace.mark_interrupted_runs(), ElementsAre("gone"));
  EXPECT_EQ(test::sql(folder.path(), "SELECT status FROM runs ORDER BY id"), "interruptedrunning");
  EXPECT_THAT(workspace.mark_interrupted_runs(), IsEmpty());
}

}  // namespace
}  // namespace procsim
