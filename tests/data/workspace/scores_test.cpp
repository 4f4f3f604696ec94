#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/workspace/workspace.hpp"
#include "tests/data/workspace/workspace_rows.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

using test::TemporaryFolder;

// A workspace with one label set, to score.
struct Scored {
  TemporaryFolder folder;
  Workspace workspace = Workspace::open_or_create(folder.path());
  std::int64_t labels = workspace.put_label_set(test::label_set("labels/a.parquet", "d1"));

  std::int64_t put(const std::string& name, const std::string& digest = "s",
                   std::optional<std::int64_t> run = std::nullopt) {
    return workspace.put_scores({0, name, "", labels, name + ".parquet", digest, "score", run});
  }
};

TEST(Scores, PutLastAreTheNewestOfTheirDataSet) {
  Scored world;
  EXPECT_EQ(world.workspace.newest_scores("birds"), std::nullopt);
  const auto one = world.put("one");
  world.put("two");
  EXPECT_EQ(world.workspace.newest_scores("birds")->name, "two");
  EXPECT_EQ(world.put("one", "made again"), one) << "a file holds one set of scores";
  const auto newest = world.workspace.newest_scores("birds");
  EXPECT_EQ(newest->id, one);
  EXPECT_EQ(newest->dataset, "birds");
  EXPECT_EQ(newest->label_set, world.labels);
  EXPECT_EQ(newest->path, "one.parquet");
  EXPECT_EQ(newest->digest, "made again");
  EXPECT_EQ(newest->made_by, "score");
  EXPECT_EQ(newest->run, std::nullopt);
  ASSERT_EQ(world.workspace.scores("birds").size(), 2U);
  EXPECT_EQ(world.workspace.scores("birds")[1].name, "two");
  EXPECT_EQ(world.workspace.scores("").size(), 2U);
  EXPECT_TRUE(world.workspace.scores("cars").empty());
  EXPECT_EQ(world.workspace.newest_scores("cars"), std::nullopt);
}

TEST(Scores, OfARunAreFoundByItAndGoWithIt) {
  Scored world;
  const auto run = world.workspace.put_run({0, "birds-1", "birds", world.labels, "runs/1", "done", "{}"});
  EXPECT_EQ(world.workspace.scores_of_run(run), std::nullopt);
  world.put("birds-1", "s", run);
  world.put("foreign");
  EXPECT_EQ(world.workspace.scores_of_run(run)->name, "birds-1");
  EXPECT_EQ(world.workspace.scores_named("foreign")->run, std::nullopt);
  EXPECT_EQ(world.workspace.scores_named("birds-1")->run, run);
  EXPECT_EQ(world.workspace.runs().size(), 1U) << "scores are no run";
  world.workspace.remove_run(run);
  EXPECT_EQ(world.workspace.scores_named("birds-1"), std::nullopt);
  EXPECT_TRUE(world.workspace.scores_named("foreign"));
}

TEST(Scores, OfNoKnownLabelsAreRefused) {
  Scored world;
  world.labels = 99;
  EXPECT_THAT(test::error_of([&] { world.put("lost"); }), ::testing::HasSubstr("FOREIGN KEY"));
}

}  // namespace
}  // namespace procsim
