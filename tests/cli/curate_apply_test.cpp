#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/files/file_name.hpp"
#include "data/labels/label_set.hpp"
#include "tests/cli/curate_workspace.hpp"
#include "tests/curate/scored_birds.hpp"
#include "tests/support/test_files.hpp"

namespace procsim {
namespace {

using ::testing::HasSubstr;

TEST(CurateApply, TheWholeWayFromDecisionsToACorrectedLabelSet) {
  test::CurateWorkspace world;
  for (int i = 0; i < 60; i += 5) world.decide(i, "ada", "relabel", i % 6);
  world.decide(1, "ada", "keep");
  const auto result = world.curate_json({"apply"});
  EXPECT_EQ(result["relabelled"], 12);
  EXPECT_EQ(result["confirmed"], 1);
  const auto file = result["file"].get<std::string>();
  EXPECT_THAT(file, HasSubstr(".procsim/labels/labels-reviewed-"));
  EXPECT_EQ(world.open().newest_label_set("birds")->digest, result["digest"])
      << "what the trainer takes next";
  EXPECT_EQ(world.open().newest_label_set("birds")->kind, "apply");
  const auto again = world.curate_json({"apply"});
  EXPECT_EQ(again["digest"], result["digest"]);

  const auto diff = world.curate_json({"diff"});
  EXPECT_EQ(diff["changed"], 12);
  EXPECT_DOUBLE_EQ(diff["truth"]["noise_before"], 0.2);
  EXPECT_DOUBLE_EQ(diff["truth"]["noise_after"], 0);
  EXPECT_DOUBLE_EQ(diff["truth"]["review_precision"], 1);
  const auto rows = world.curate({"diff", world.labels().string(), file, "--rows"});
  EXPECT_THAT(rows.out, HasSubstr("sample_id,path,before,after\n0,images/0.jpg,Western Gull,Herring Gull\n"));
}

TEST(CurateApply, TheEndingDecidesAndTheWorkspaceKeepsItsOwnCopy) {
  test::CurateWorkspace world;
  world.decide(0, "ada", "relabel", 0);
  const auto result = world.curate_json({"apply", "--output", "corrected.csv"});
  const auto csv = test::read_all(world.folder() / "corrected.csv");
  EXPECT_THAT(csv,
              ::testing::StartsWith("sample_id,path,split,label\n0,images/0.jpg,train,001.Herring Gull\n"));
  const auto newest = world.open().newest_label_set("birds");
  EXPECT_EQ(newest->kind, "apply");
  EXPECT_THAT(newest->path, ::testing::EndsWith(".parquet"));
  EXPECT_EQ(read_label_set(world.open().resolve(newest->path)).rows[0].label, 0);
  EXPECT_EQ(result["label_set"], world.open().resolve(newest->path).string());
  EXPECT_EQ(world.curate({"apply", "--output", "corrected.csv"}).exit_code, 1) << "it is there already";
  EXPECT_EQ(world.curate({"apply", "--output", "corrected.csv", "--force"}).exit_code, 0);
  EXPECT_EQ(world.curate({"apply", "--output", "copy.parquet"}).exit_code, 0);
  EXPECT_EQ(parts_digest(world.folder() / "copy.parquet"), newest->digest);
  const auto wrong = world.curate({"apply", "--output", "corrected.xlsx"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr(".csv or .parquet, not '.xlsx'"));
}

TEST(CurateApply, RefusesLabelsThatAreNoLongerThoseThatWereReviewed) {
  test::CurateWorkspace world;
  world.decide(0, "ada", "relabel", 0);
  auto changed = read_label_set(world.labels());
  changed.rows[7].label = 0;
  write_label_set(world.labels(), changed, IfExists::kReplace);
  const auto result = world.curate({"apply"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("labels.parquet has changed since it was recorded"));
  std::filesystem::remove(world.labels());
  EXPECT_THAT(world.curate({"apply"}).err, HasSubstr("labels.parquet was replaced or deleted"));
}

TEST(CurateApply, AutomaticallyAboveAProbability) {
  const test::CurateWorkspace world;
  const auto result = world.curate_json({"apply", "--auto", "0.85", "--output", "auto.parquet"});
  EXPECT_EQ(result["automatic"], 12);
  EXPECT_EQ(result["changed"], 12);
  const auto dropped =
      world.curate_json({"apply", "--auto", "0.85", "--auto-action", "drop", "--output", "dropped.parquet"});
  EXPECT_EQ(dropped["left_out"], 12);
  EXPECT_EQ(world.curate({"apply", "--auto", "85%"}).exit_code, 2);
  EXPECT_EQ(world.curate({"apply", "--auto", "0.9", "--output", "auto.parquet"}).exit_code, 1)
      << "it is there already";
}

TEST(CurateApply, WhatAPersonJudgedStaysJudgedInTheLabelSetsMadeFromIt) {
  test::CurateWorkspace world;
  world.decide(0, "ada", "keep");
  world.decide(5, "ada", "relabel", 5);
  world.decide(10, "ada", "skip");
  const auto applied = world.curate_json({"apply"});
  const auto digest = applied["digest"].get<std::string>();
  // Scored again, all three look wrong.
  auto rows = world.rows();
  rows[5].label = 5;
  rows[5].suggested = 0;
  auto info = test::bird_info();
  info.provenance.label_set = digest;
  const auto scores = test::write_scores(world.folder() / "again.parquet", rows, info);
  world.add_run("run-2", world.open().label_set_by_digest(digest)->id, scores);

  ASSERT_EQ(world.curate({"report", "--format", "csv"}).exit_code, 0);
  const auto listed = test::read_all(world.folder() / "reports/run-2/suspects.csv");
  EXPECT_THAT(listed, HasSubstr("1,10,images/10.jpg"));
  EXPECT_THAT(listed, ::testing::Not(HasSubstr("images/0.jpg")));
  EXPECT_THAT(listed, ::testing::Not(HasSubstr("images/5.jpg")));
  EXPECT_THAT(world.curate({"apply"}).err, HasSubstr("no decisions on"));
  // Two suspects turned out to be right: the others, at 0.9 by the scores, are less suspect by that.
  EXPECT_EQ(world.curate_json({"apply", "--auto", "0.8"})["automatic"], 0);
  const auto again = world.curate_json({"apply", "--auto", "0.3"});
  EXPECT_EQ(again["confirmed"], 2);
  EXPECT_EQ(again["automatic"], 10);
  const auto labels = read_label_set(again["file"].get<std::string>());
  EXPECT_EQ(labels.rows[0].label, 1);
  EXPECT_EQ(labels.rows[5].label, 5);
  EXPECT_EQ(labels.rows[10].label, 4);
}

TEST(CurateApply, SaysWhatToDoWithoutDecisions) {
  const test::CurateWorkspace world;
  const auto result = world.curate({"apply"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("curate serve"));
}

TEST(CurateLog, ShowsAndVerifiesTheChain) {
  test::CurateWorkspace world;
  world.decide(0, "ada", "relabel", 0);
  world.decide(5, "bob", "parent", {}, "gull.n.01");
  const auto log = world.curate({"log"});
  EXPECT_THAT(log.out, HasSubstr("ada\tsample 0\trelabel 0\tqueue"));
  EXPECT_THAT(log.out, HasSubstr("parent gull.n.01"));
  EXPECT_THAT(world.curate({"log", "--reviewer", "bob"}).out, ::testing::Not(HasSubstr("ada")));
  EXPECT_EQ(world.curate_json({"log", "--verify"})["intact"], true);
  EXPECT_THAT(world.curate({"log", "--verify"}).out, HasSubstr("2 decisions"));
}

TEST(CurateAgreement, MeasuresReviewersAndListsDisputes) {
  test::CurateWorkspace world;
  for (int i = 0; i < 10; ++i) {
    world.decide(i, "ada", "keep");
    if (i < 8)
      world.decide(i, "bob", "keep");
    else
      world.decide(i, "bob", "relabel", 5);
  }
  world.decide(20, "ada", "relabel", 2, {}, "planted");
  world.decide(21, "ada", "keep", {}, {}, "planted");
  const auto result = world.curate_json({"agreement"});
  EXPECT_EQ(result["shared"], 10);
  EXPECT_DOUBLE_EQ(result["pairs"][0]["observed"], 0.8);
  EXPECT_EQ(result["disputed"].size(), 2U);
  EXPECT_EQ(result["disputed"][0]["votes"]["bob"], "Snowy Owl");
  EXPECT_EQ(result["reviewers"][0]["planted"], 2);
  EXPECT_EQ(result["reviewers"][0]["planted_caught"], 1);
  EXPECT_THAT(world.curate({"agreement"}).out, HasSubstr("caught 1 of 2 planted errors"));
}

TEST(CurateScore, MeasuresAgainstTheTruth) {
  const test::CurateWorkspace world;
  const auto result = world.curate_json({"score"});
  EXPECT_EQ(result["wrong"], 12);
  EXPECT_DOUBLE_EQ(result["auroc"], 1);
  EXPECT_DOUBLE_EQ(result["precision_at_errors"], 1);
  EXPECT_DOUBLE_EQ(result["suggestion_accuracy"], 1);
  EXPECT_EQ(world.curate_json({"score", "--truth", world.labels().string()})["wrong"], 12);
  EXPECT_THAT(world.curate({"score"}).out, HasSubstr("AUROC 1.0000"));
}

TEST(CurateCompare, TellsTwoRankingsApart) {
  const test::CurateWorkspace world;
  std::string csv = "sample_id,self_confidence\n";
  for (int i = 0; i < 60; ++i) csv += std::to_string(i) + "," + std::to_string(i % 7) + "\n";
  write_file(world.folder() / "other.csv", csv, IfExists::kReplace);
  const auto result = world.curate_json({"compare", "scores.parquet", "other.csv"});
  EXPECT_EQ(result["shared"], 60);
  EXPECT_DOUBLE_EQ(result["auroc"]["first"], 1);
  EXPECT_LT(result["auroc"]["second"], 0.9);
  EXPECT_THAT(world.curate({"compare", "scores.parquet", "other.csv"}).err, HasSubstr("turned round"));
}

TEST(CurateHierarchy, RollsMistakesUpTheTree) {
  const test::CurateWorkspace world;
  const auto result = world.curate_json({"hierarchy"});
  EXPECT_EQ(result["nodes"].size(), 4U);
  EXPECT_FALSE(result["siblings"].empty());
  EXPECT_THAT(world.curate({"hierarchy"}).out, HasSubstr("siblings taken for one another"));
}

TEST(CurateExport, GoesOutAndComesBack) {
  test::CurateWorkspace world;
  ASSERT_EQ(world.curate({"export", "--format", "csv", "--top", "3", "--output", "todo.csv"}).exit_code, 0);
  EXPECT_THAT(test::read_all(world.folder() / "todo.csv"), HasSubstr("verdict,new_label"));
  write_file(world.folder() / "done.csv", "sample_id,verdict,new_label\n0,relabel,Herring Gull\n5,keep,\n",
             IfExists::kReplace);
  EXPECT_EQ(world.curate({"import", "done.csv"}).exit_code, 1) << "nobody says who decided";
  EXPECT_EQ(world.curate_json({"import", "done.csv", "--reviewer", "ada"})["added"], 2);
  EXPECT_EQ(world.curate_json({"import", "done.csv", "--reviewer", "ada"})["added"], 0);
  EXPECT_EQ(world.open().decisions(world.labels_digest()).size(), 2U);
  EXPECT_THAT(world.curate({"export", "--format", "label-studio", "--config"}).out, HasSubstr("<Choices"));
  EXPECT_EQ(world.curate({"export", "--format", "labelstudio"}).exit_code, 2);
}

}  // namespace
}  // namespace procsim
