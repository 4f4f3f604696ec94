#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/process.hpp"
#include "data/workspace/workspace.hpp"
#include "tests/data/workspace/workspace_rows.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

using test::error_of;
using test::label_set;
using test::TemporaryFolder;
using ::testing::HasSubstr;

TEST(Workspace, RunsAndMetrics) {
  const TemporaryFolder folder;
  auto workspace = Workspace::open_or_create(folder.path());
  const auto set = workspace.put_label_set(label_set("labels/a.parquet", "d1"));
  RunRecord run{0, "birds-1", "birds", set, "runs/birds-1", "running", "{}"};
  run.id = workspace.put_run(run);
  run.status = "done";
  workspace.update_run(run);
  EXPECT_EQ(workspace.runs().front().path, "runs/birds-1");
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

TEST(Workspace, ARunWhoseProcessIsGoneWasInterrupted) {
  const TemporaryFolder folder;
  auto workspace = Workspace::open_or_create(folder.path());
  const auto set = workspace.put_label_set(label_set("labels/a.parquet", "d1"));
  RunRecord run{0, "birds-1", "birds", set, "runs/birds-1", "running", "{}", this_process()};
  run.id = workspace.put_run(run);
  EXPECT_EQ(workspace.run("birds-1")->status, "running");
  run.process = "999999999 1 another boot";
  workspace.update_run(run);
  EXPECT_EQ(workspace.run("birds-1")->status, "interrupted");
  EXPECT_EQ(workspace.runs().front().status, "interrupted");
}

}  // namespace
}  // namespace procsim
