#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/digest.hpp"
#include "data/files/atomic_file.hpp"
#include "data/files/file_name.hpp"
#include "data/files/table.hpp"
#include "data/labels/label_set.hpp"
#include "data/labels/scores.hpp"
#include "tests/cli/curate_workspace.hpp"
#include "tests/curate/scored_birds.hpp"

namespace procsim {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(CurateReport, NeedsNothingInsideAWorkspace) {
  const test::CurateWorkspace world;
  const auto result = world.curate({"report"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("scores: run run-1"));
  EXPECT_THAT(result.out, HasSubstr("reports/run-1/report.html"));
  EXPECT_THAT(result.out, HasSubstr(" of 60 labels are probably wrong (95 % interval "));
  const auto page = test::read_all(world.folder() / "reports/run-1/report.html");
  EXPECT_THAT(page, HasSubstr("\"every fifth\""));
  EXPECT_THAT(page, HasSubstr("\"images\":[\"/9j/"));
  EXPECT_THAT(test::read_all(world.folder() / "reports/run-1/suspects.csv"),
              HasSubstr("rank,sample_id,path"));
}

TEST(CurateReport, WritesEveryFormatAskedFor) {
  const test::CurateWorkspace world;
  const auto result =
      world.curate_json({"report", "--output", "out", "--top", "12", "--format", "html,csv,parquet,json,md"});
  EXPECT_EQ(result["files"].size(), 5U);
  EXPECT_EQ(result["samples"], 60);
  EXPECT_EQ(result["suspects"], 12);
  const auto table = read_parquet_table(world.folder() / "out/suspects.parquet");
  EXPECT_EQ(table.rows(), 12);
  EXPECT_EQ(table.metadata.at("label_set"), world.labels_digest());
  const auto json = nlohmann::json::parse(test::read_all(world.folder() / "out/suspects.json"));
  EXPECT_EQ(json["format"], "curate-report/1");
  EXPECT_EQ(json["cards"].size(), 12U);
  for (const auto& card : json["cards"])
    EXPECT_EQ(card["id"].get<int>() % 5, 0) << "the wrong ones come first";
  EXPECT_FALSE(json.contains("images"));
  EXPECT_THAT(test::read_all(world.folder() / "out/report.md"), HasSubstr("labels are probably wrong"));
}

TEST(CurateReport, RunsAgainButOverwritesOnlyWithForce) {
  const test::CurateWorkspace world;
  ASSERT_EQ(world.curate({"report"}).exit_code, 0);
  for (int i = 0; i < 2; ++i) ASSERT_EQ(world.curate({"report", "--format", "parquet"}).exit_code, 0);
  const auto before = test::read_all(world.folder() / "reports/run-1/report.html");
  ASSERT_EQ(world.curate({"report"}).exit_code, 0) << "the same again does no harm";
  EXPECT_EQ(test::read_all(world.folder() / "reports/run-1/report.html"), before);
  const auto other = world.curate({"report", "--top", "3"});
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_THAT(other.err, HasSubstr("--force"));
  EXPECT_EQ(world.curate({"report", "--top", "3", "--force"}).exit_code, 0);
}

TEST(CurateReport, WorksOnFilesAlone) {
  const test::CurateWorkspace world;
  const test::TemporaryFolder elsewhere;
  test::ProgramOptions options;
  options.folder = elsewhere.path();
  const auto result =
      test::run_program("curate", {"report", "--scores", world.scores().string(), "--output", "r"}, options);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("--root"));
  EXPECT_THAT(result.err, Not(HasSubstr("scores:"))) << "nothing was picked";
}

TEST(CurateReport, RunsWhoseScoresWereDeletedArePassedOver) {
  const test::CurateWorkspace world;
  world.add_run("run-2", world.open().run("run-1")->label_set, world.folder() / "deleted.parquet");
  const auto report = world.curate({"report", "--format", "csv"});
  EXPECT_EQ(report.exit_code, 0);
  EXPECT_THAT(report.err, HasSubstr("those of run run-2 are not there any more"));
  EXPECT_THAT(report.err, HasSubstr("scores: run run-1"));
  const auto named = world.curate({"report", "--run", "run-2"});
  EXPECT_EQ(named.exit_code, 1);
  EXPECT_THAT(named.err, HasSubstr("deleted.parquet"));
  std::filesystem::remove(world.scores());
  const auto none = world.curate({"report"});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.err, HasSubstr("no run with scores"));
}

TEST(CurateReport, TopTakesAllWhereverItIsTaken) {
  const test::CurateWorkspace world;
  const auto all = world.curate_json({"report", "--output", "all", "--top", "all", "--format", "json"});
  EXPECT_EQ(all["samples"], 60);
  const auto json = nlohmann::json::parse(test::read_all(world.folder() / "all/suspects.json"));
  EXPECT_EQ(json["cards"].size(), 60U);
  const auto exported = world.curate({"export", "--format", "label-studio", "--top", "all"});
  ASSERT_EQ(exported.exit_code, 0) << exported.err;
  EXPECT_EQ(nlohmann::json::parse(exported.out).size(), 60U);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"duplicates"}, {"hierarchy"}, {"agreement"}, {"report"}, {"serve"}}) {
    auto wrong = words;
    wrong.insert(wrong.end(), {"--top", "al"});
    const auto refused = world.curate(wrong);
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("or all"));
    EXPECT_LT(refused.err.size(), 200U) << "no number of hundreds of digits: " << refused.err;
    if (words[0] == "serve") continue;  // it would go on serving
    wrong.back() = "all";
    const auto taken = world.curate(wrong);
    EXPECT_EQ(taken.exit_code, 0) << words[0] << ": " << taken.err;
  }
}

TEST(CurateReport, AnUnknownFormatIsAnsweredWithThoseThatThereAre) {
  const test::CurateWorkspace world;
  const auto format = world.curate({"report", "--format", "pdf"});
  EXPECT_EQ(format.exit_code, 2);
  EXPECT_THAT(format.err, HasSubstr("'pdf' is none of html, csv, parquet, json, md"));
  EXPECT_THAT(format.err, HasSubstr("curate report --help")) << "the subcommand's help";
}

TEST(CurateReport, MistakesEndWithTheWayOut) {
  const test::CurateWorkspace world;
  const auto format = world.curate({"report", "--format", "htm"});
  EXPECT_EQ(format.exit_code, 2);
  EXPECT_THAT(format.err, HasSubstr("did you mean 'html'"));
  EXPECT_EQ(world.curate({"report", "--run", "no-such-run"}).exit_code, 1);
  EXPECT_EQ(world.curate({"report", "--top", "0"}).exit_code, 2);
  EXPECT_THAT(world.curate({"raport"}).err, HasSubstr("did you mean 'report'"));
  const test::TemporaryFolder empty;
  test::ProgramOptions options;
  options.folder = empty.path();
  const auto nothing = test::run_program("curate", {"report", "--scores", "missing.parquet"}, options);
  EXPECT_EQ(nothing.exit_code, 1);
  EXPECT_THAT(nothing.err, HasSubstr("missing.parquet"));
  const auto text = empty.write("text.parquet", "not parquet");
  EXPECT_EQ(test::run_program("curate", {"report", "--scores", text.string()}, options).exit_code, 1);
}

TEST(CurateImportScores, ProbabilitiesOfAnotherModelMakeAReport) {
  const test::CurateWorkspace world;
  std::string csv = "sample_id,p0,p1,p2,p3,p4,p5\n";
  for (const auto& row : world.rows()) {
    csv += std::to_string(row.sample_id);
    // Sure of the given label, but for sample 7, which it calls class 5.
    for (int label = 0; label < 6; ++label)
      csv += label == (row.sample_id == 7 ? 5 : row.label) ? ",0.95" : ",0.01";
    csv += '\n';
  }
  write_file(world.folder() / "mine.csv", csv, IfExists::kFail);
  const auto imported = world.curate({"import-scores", "mine.csv"});
  ASSERT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_THAT(imported.err, HasSubstr("labels:"));
  const auto report = world.curate({"report", "--format", "csv"});
  ASSERT_EQ(report.exit_code, 0) << report.err;
  EXPECT_THAT(report.err, HasSubstr("run mine"));
  EXPECT_THAT(test::read_all(world.folder() / "reports/mine/suspects.csv"), HasSubstr("\n1,7,"));
  EXPECT_EQ(world.curate({"import-scores", "mine.csv"}).exit_code, 1) << "never overwrites by itself";
  EXPECT_EQ(world.curate({"import-scores", "mine.csv", "--force"}).exit_code, 0);
  const auto wrong = world.curate({"import-scores", "mine.csv", "--labels", "mine.csv"});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.err, HasSubstr("taxo build mine.csv"));
}

// A label set alone: no workspace, no taxonomy. Of 120 labels 18 are wrong, and the model, which is right
// nineteen times in twenty, is surer where it is.
TEST(CurateImportScores, WithoutATaxonomyOrAWorkspaceSayHowManyLabelsAreWrong) {
  const test::TemporaryFolder folder;
  std::vector<ScoreRow> rows;
  std::string csv = "sample_id,p0,p1,p2,p3,p4,p5\n";
  for (int i = 0; i < 120; ++i) {
    const int truth = i % 6, given = i % 20 < 3 ? (truth + 1 + i % 5) % 6 : truth;
    rows.push_back(test::scored(i, given, 0, 0));
    const bool mistaken = i % 20 == 11;
    const int seen = mistaken ? (truth + 2) % 6 : truth;
    csv += std::to_string(i);
    for (int label = 0; label < 6; ++label)
      csv += label == seen ? (mistaken ? ",0.5" : ",0.95") : mistaken && label == truth ? ",0.46" : ",0.01";
    csv += '\n';
  }
  test::write_bird_labels(folder / "labels.parquet", rows);
  folder.write("mine.csv", csv);
  test::ProgramOptions options;
  options.folder = folder.path();
  const auto curate = [&](const std::vector<std::string>& words) {
    return test::run_program("curate", words, options);
  };
  const auto nowhere = curate({"import-scores", "mine.csv"});
  EXPECT_EQ(nowhere.exit_code, 1);
  EXPECT_THAT(nowhere.err, HasSubstr("give --labels FILE"));
  const auto imported = curate({"import-scores", "mine.csv", "--labels", "labels.parquet", "--json"});
  ASSERT_EQ(imported.exit_code, 0) << imported.err;
  const auto json = nlohmann::json::parse(imported.out);
  EXPECT_EQ(json["rows"], 120);
  EXPECT_LE(json["noise_rate"]["low"].get<double>(), 0.15);
  // 24 of 120 labels are not the class that the model likes best: 0.2 + 1.645 √(0.2 · 0.8 / 120)
  EXPECT_NEAR(json["noise_rate"]["high"].get<double>(), 0.26006, 1e-4);

  const auto report = curate({"report", "--scores", "mine.scores.parquet", "--format", "csv,json"});
  ASSERT_EQ(report.exit_code, 0) << report.err;
  const auto document = nlohmann::json::parse(test::read_all(folder / "reports/mine.scores/suspects.json"));
  EXPECT_TRUE(document["tree"].empty());
  EXPECT_EQ(document["cards"].size(), 120U);
  int found = 0;
  for (int i = 0; i < 18; ++i) {
    const auto& card = document["cards"][static_cast<std::size_t>(i)];
    found += card["id"].get<int>() % 20 < 3 ? 1 : 0;
    EXPECT_EQ(card["kinship"], "unknown");
  }
  EXPECT_EQ(found, 18) << "the wrong ones come first";
}

TEST(CurateImportScores, OfAFolderOfLabelsAreRecorded) {
  const test::CurateWorkspace world;
  auto set = read_label_set(world.labels());
  const auto rows = set.rows;
  for (int part = 0; part < 2; ++part) {
    set.rows.assign(rows.begin() + 30 * part, rows.begin() + 30 * (part + 1));
    write_label_set(world.folder() / fmt::format("parts/{}.parquet", part), set, IfExists::kFail);
  }
  const auto digest = parts_digest(world.folder() / "parts");
  auto workspace = world.open();
  workspace.put_label_set(
      {0, "birds", workspace.stored_path(world.folder() / "parts"), digest, "inject", "in parts", 60, 12});
  std::string csv = "sample_id,p0,p1,p2,p3,p4,p5\n";
  for (const auto& row : rows) {
    csv += std::to_string(row.sample_id);
    for (int label = 0; label < 6; ++label) csv += label == row.label ? ",0.95" : ",0.01";
    csv += '\n';
  }
  write_file(world.folder() / "mine.csv", csv, IfExists::kFail);
  const auto imported = world.curate({"import-scores", "mine.csv", "--labels", "parts"});
  ASSERT_EQ(imported.exit_code, 0) << imported.err;
  const auto scores = workspace.newest_scores("birds");
  ASSERT_TRUE(scores);
  EXPECT_EQ(scores->name, "mine");
  EXPECT_EQ(scores->made_by, "import-scores");
  EXPECT_EQ(scores->label_set, workspace.label_set_by_digest(digest)->id);
  const auto file = workspace.resolve(scores->path);
  EXPECT_EQ(scores->digest, sha256_file(file));
  EXPECT_EQ(ScoresReader(file).info().provenance.label_set, digest);
}

}  // namespace
}  // namespace procsim
