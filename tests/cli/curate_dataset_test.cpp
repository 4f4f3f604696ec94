// Two data sets in one workspace: --dataset says which is meant, and building the second changes nothing for
// the first.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/labels/label_set.hpp"
#include "tests/cli/curate_workspace.hpp"
#include "tests/curate/scored_birds.hpp"

namespace procsim {
namespace {

using ::testing::HasSubstr;

// After the birds of CurateWorkspace, 20 terns are opened and scored: they are the current data set.
class CurateDataset : public ::testing::Test {
 protected:
  void open_terns() {
    LabelSet set;
    auto info = test::bird_info();
    set.info.dataset = info.dataset = "terns";
    set.info.classes = info.classes;
    set.info.provenance = {{"program", "test"}};
    std::vector<ScoreRow> rows;
    for (int i = 0; i < 20; ++i) {  // the same numbers as birds have, of other images
      auto row = test::scored(i, 4, 5, 0.1 + 0.01 * i);
      row.path = "terns/" + std::to_string(i) + ".jpg";
      test::write_image(world_.folder() / row.path, i);
      set.rows.push_back({i, row.path, "train", 4, {}});
      rows.push_back(std::move(row));
    }
    const auto labels = world_.folder() / "terns.parquet";
    info.provenance.program = "test";
    info.provenance.label_set = terns_digest_ = write_label_set(labels, set, IfExists::kFail);
    const auto scores = test::write_scores(world_.folder() / "terns-scores.parquet", rows, info);
    auto workspace = world_.open();
    const auto folder = world_.folder().string();
    workspace.put_dataset({"terns", "folder", folder, folder, 6, 20, "{}"});
    const auto id = workspace.put_label_set(
        {0, "terns", workspace.stored_path(labels), terns_digest_, "base", "as found", 20, 0});
    const auto run = workspace.put_run({0, "run-2", "terns", id, "runs/run-2", "done", "{}"});
    workspace.put_scores({0, "run-2", "terns", id, workspace.stored_path(scores), "", "train", run});
  }

  test::CurateWorkspace world_;
  std::string terns_digest_;
};

TEST_F(CurateDataset, SaysWhichOfTwoIsMeant) {
  open_terns();
  EXPECT_EQ(world_.curate_json({"report"})["samples"], 20) << "the one used last";
  EXPECT_EQ(world_.curate_json({"report", "--dataset", "terns", "--output", "t"})["samples"], 20);
  const auto birds = world_.curate({"report", "--dataset", "birds", "--output", "b", "--json"});
  ASSERT_EQ(birds.exit_code, 0) << birds.err;
  EXPECT_THAT(birds.err, HasSubstr("scores: run run-1"));
  EXPECT_EQ(nlohmann::json::parse(birds.out)["samples"], 60);
  const auto unknown = world_.curate({"report", "--dataset", "bird"});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_THAT(unknown.err, HasSubstr("no data set 'bird'; it has: "));
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'birds'"));
}

TEST_F(CurateDataset, NothingChangesForTheFirst) {
  world_.decide(0, "ada", "relabel", 0);
  world_.curate_json({"report", "--output", "before", "--format", "html,csv"});
  open_terns();
  world_.curate_json({"report", "--dataset", "birds", "--output", "after", "--format", "html,csv"});
  for (const auto* file : {"report.html", "suspects.csv"})
    EXPECT_EQ(test::read_all(world_.folder() / "after" / file),
              test::read_all(world_.folder() / "before" / file));
  EXPECT_EQ(
      world_.curate({"export", "--format", "csv", "--dataset", "birds", "--output", "birds.csv"}).exit_code,
      0);
  EXPECT_THAT(test::read_all(world_.folder() / "birds.csv"), HasSubstr("images/5.jpg"));
  EXPECT_EQ(world_.curate({"export", "--format", "csv", "--output", "terns.csv"}).exit_code, 0);
  EXPECT_THAT(test::read_all(world_.folder() / "terns.csv"), HasSubstr("terns/5.jpg"));
}

TEST_F(CurateDataset, DecisionsAndWhatIsMadeOfThemStayApart) {
  world_.decide(0, "ada", "relabel", 0);
  open_terns();
  EXPECT_EQ(world_.curate_json({"report"})["samples"], 20);
  const auto applied = world_.curate_json({"apply", "--dataset", "birds"});
  EXPECT_EQ(applied["relabelled"], 1);
  const auto workspace = world_.open();
  EXPECT_EQ(workspace.newest_label_set("birds")->kind, "apply");
  EXPECT_EQ(workspace.newest_label_set("terns")->digest, terns_digest_)
      << "sample 0 of the terns was not judged";
  EXPECT_EQ(world_.curate_json({"diff", "--dataset", "birds"})["changed"], 1);
  EXPECT_EQ(world_.curate({"diff", "--dataset", "terns"}).exit_code, 1) << "nothing was applied to them";
  EXPECT_EQ(world_.curate({"agreement", "--dataset", "birds"}).exit_code, 0);
}

}  // namespace
}  // namespace procsim
