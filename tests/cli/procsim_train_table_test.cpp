#include <fstream>
#include <map>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/procsim_train_workspace.hpp"

namespace procsim {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A table of two cells: 30 % uniform noise on a tiny data set.
class ProcsimTrainTable : public ::testing::Test {
 protected:
  ProcsimTrainTable() {
    const auto base = workspace.dataset.folder / "base.parquet";
    std::filesystem::copy_file(workspace.dataset.label_file(), base);
    auto opened = Workspace::open(workspace.dataset.folder.path());
    LabelSetRecord labels;
    labels.dataset = "tiny";
    labels.path = opened.stored_path(base);
    labels.digest = sha256_file(base);
    labels.kind = "base";
    labels.rows = 96;
    opened.put_label_set(labels);
  }
  test::TrainWorkspace workspace;

  std::vector<std::string> words(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all{"table", "uniform30",    "--methods",     "ms,triplet",   "--budget",
                                 "1",     "--set",        "image-size=32", "--set",        "batch=12",
                                 "--set", "dimension=16", "--set",         "weights=none", "--output",
                                 "out"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::string written(const std::string& ending) const {
    return test::read_all(workspace.dataset.folder / "out" / ("uniform30-tiny" + ending));
  }
  std::vector<RunRecord> runs() const { return Workspace::open(workspace.dataset.folder.path()).runs(); }
};

TEST_F(ProcsimTrainTable, RunsItsCellsOnceAndWritesThem) {
  auto result = workspace.run(words());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("2 cells done, 0 running, 0 left"));
  EXPECT_THAT(written(".md"), HasSubstr("| method | uniform 30 %, recall@1 |"));
  EXPECT_THAT(written(".md"), HasSubstr("tiny: preset default, 1 epochs, backbone small"));
  EXPECT_THAT(written(".md"), ::testing::ContainsRegex("0\\.1\\.0(, commit [0-9a-f]{7})?\\."));
  EXPECT_THAT(written(".csv"), HasSubstr(",Triplet,\"uniform 30 %, recall@1\","));
  EXPECT_THAT(written(".tex"), HasSubstr("\\bottomrule"));
  EXPECT_THAT(written(".html"), HasSubstr("<td>Triplet</td>"));
  ASSERT_EQ(runs().size(), 2U);

  const auto before = written(".csv");
  result = workspace.run(words());
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(runs().size(), 2U) << "cells are found again";
  EXPECT_EQ(written(".csv"), before);
  const auto json = nlohmann::json::parse(workspace.run(words({"--status", "--json"})).out);
  EXPECT_EQ(json["done"], 2);
  EXPECT_EQ(json["cells"][0]["status"], "done");
}

// What a process leaves that was killed: a run that says it is running, with a checkpoint.
TEST_F(ProcsimTrainTable, GoesOnWithACellThatWasLeft) {
  ASSERT_EQ(workspace.run(words()).exit_code, 0);
  const auto before = written(".csv");
  auto opened = Workspace::open(workspace.dataset.folder.path());
  auto left = opened.runs().front();
  left.status = "running";
  opened.update_run(left);
  EXPECT_THAT(workspace.run(words({"--status"})).out, HasSubstr("1 cells done, 0 running, 1 left"));
  const auto result = workspace.run(words());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(opened.run(left.name)->status, "done");
  EXPECT_EQ(runs().size(), 2U);
  EXPECT_EQ(written(".csv"), before);
}

TEST_F(ProcsimTrainTable, TwoProcessesShareTheCells) {
  test::ProgramResult first;
  test::ProgramResult second;
  {
    std::jthread other([&] { second = workspace.run(words({"--seeds", "2"})); });
    first = workspace.run(words({"--seeds", "2"}));
  }
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(second.exit_code, 0) << second.err;
  EXPECT_EQ(runs().size(), 4U);
  std::size_t trained = 0;
  for (const auto& text : {first.err, second.err})
    for (auto at = text.find("done: "); at != std::string::npos; at = text.find("done: ", at + 1)) ++trained;
  EXPECT_EQ(trained, 4U) << first.err << second.err;
  EXPECT_THAT(workspace.run(words({"--seeds", "2", "--status"})).out, HasSubstr("4 cells done"));
  EXPECT_EQ(workspace.run(words({"--seeds", "2"})).exit_code, 0);
  EXPECT_THAT(written(".md"), HasSubstr(" ± "));
}

TEST_F(ProcsimTrainTable, ColumnsAreChosenByTheirNoise) {
  const auto result = workspace.run(words({"--noise", "uniform-0.5,none,uniform-0.5"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("4 cells done, 0 running, 0 left"));
  EXPECT_THAT(written(".md"), HasSubstr("| method | uniform 50 %, recall@1 |"));
  EXPECT_THAT(written(".md"), HasSubstr("| none, recall@1 |"));
  EXPECT_THAT(written(".md"), Not(HasSubstr("uniform 30 %")));
}

nlohmann::json settings_of(const RunRecord& run) { return nlohmann::json::parse(run.config); }

TEST_F(ProcsimTrainTable, ASettingMayBeThatOfARow) {
  const auto result = workspace.run(words({"--set", "lr=0.002", "--set", "triplet@lr=0.004"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::map<std::string, double> rate_of;
  for (const auto& run : runs()) rate_of[settings_of(run)["method"]] = settings_of(run)["lr"];
  EXPECT_EQ(rate_of, (std::map<std::string, double>{{"ms", 0.002}, {"triplet", 0.004}}));
  EXPECT_THAT(written(".md"), HasSubstr("Set: triplet@lr=0.004."));
}

// Rivals have no guidance, though the paper's preset of the data set has it.
TEST_F(ProcsimTrainTable, RivalsAreTrainedWithoutGuidance) {
  auto opened = Workspace::open(workspace.dataset.folder.path());
  auto record = *opened.current_dataset();
  record.name = "cub200";
  opened.put_dataset(record);
  auto labelled = workspace.dataset.labels;
  labelled.info.dataset = "cub200";
  const auto file = workspace.dataset.folder / "cub.parquet";
  write_label_set(file, labelled, IfExists::kFail);
  LabelSetRecord labels;
  labels.dataset = "cub200";
  labels.path = opened.stored_path(file);
  labels.digest = sha256_file(file);
  labels.kind = "base";
  labels.rows = 96;
  opened.put_label_set(labels);
  const auto result = workspace.run(
      words({"--methods", "circle", "--noise", "none", "--preset", "default", "--backbone", "small"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ASSERT_EQ(runs().size(), 3U);
  for (const auto& run : runs()) EXPECT_EQ(settings_of(run)["guidance"], "off") << run.config;
}

// The name of a data set is no path, and commands no terminal.
TEST_F(ProcsimTrainTable, ANameLeadsNowhere) {
  const std::string name = "../../away\x1b[31m";
  auto opened = Workspace::open(workspace.dataset.folder.path());
  auto record = *opened.current_dataset();
  record.name = name;
  opened.put_dataset(record);
  auto labelled = workspace.dataset.labels;
  labelled.info.dataset = name;
  const auto file = workspace.dataset.folder / "away.parquet";
  write_label_set(file, labelled, IfExists::kFail);
  LabelSetRecord labels;
  labels.dataset = name;
  labels.path = opened.stored_path(file);
  labels.digest = sha256_file(file);
  labels.kind = "base";
  labels.rows = 96;
  opened.put_label_set(labels);
  const auto result = workspace.run(words({"--noise", "uniform-0.5"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ((result.out + result.err).find('\x1b'), std::string::npos) << result.out << result.err;
  std::vector<std::filesystem::path> pages;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(workspace.dataset.folder.path()))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  ASSERT_EQ(pages.size(), 1U);
  EXPECT_EQ(pages.front().parent_path(), workspace.dataset.folder / "out");
}

TEST_F(ProcsimTrainTable, ProcSimIsTrainedWithGuidance) {
  const auto result = workspace.run(words({"--methods", "procsim", "--models", "nowhere"}));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("text encoder")) << "which is not there";
}

TEST_F(ProcsimTrainTable, TheMachineIsThatOfTheCells) {
  const auto cache = workspace.dataset.folder / "kept";
  const auto result = workspace.run(words(
      {"--methods", "ms", "--threads", "1", "--workers", "1", "--device", "cpu", "--cache", cache.string()}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(workspace.run(words({"--device", "gpu"})).exit_code, 2);
}

TEST_F(ProcsimTrainTable, LookingAtItMakesNoLabels) {
  const auto before = Workspace::open(workspace.dataset.folder.path()).label_sets("tiny").size();
  const auto result = workspace.run(words({"--status"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("0 cells done, 0 running, 2 left"));
  EXPECT_EQ(Workspace::open(workspace.dataset.folder.path()).label_sets("tiny").size(), before);
  EXPECT_FALSE(std::filesystem::exists(workspace.home() / "tables"));
}

TEST_F(ProcsimTrainTable, AnotherDataSetThanTheCurrentOneIsChosen) {
  auto opened = Workspace::open(workspace.dataset.folder.path());
  opened.put_dataset({.name = "other",
                      .kind = "folder",
                      .source = "other",
                      .root = (workspace.dataset.folder / "nowhere").string(),
                      .classes = 2,
                      .samples = 2,
                      .options = "{}"});
  ASSERT_EQ(opened.current_dataset()->name, "other");
  const auto result = workspace.run(words({"--dataset", "tiny"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  ASSERT_EQ(runs().size(), 2U);
  EXPECT_EQ(runs().front().dataset, "tiny");
  EXPECT_EQ(runs().front().status, "done");
}

TEST_F(ProcsimTrainTable, ARowWithoutItsModelIsADash) {
  const auto result = workspace.run(
      {"table", "guidance",     "--methods",     "procsim-clip,ms", "--noise",  "none",  "--budget",
       "1",     "--set",        "image-size=32", "--set",           "batch=12", "--set", "dimension=16",
       "--set", "weights=none", "--set",         "guidance=off",    "--output", "out"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("left out: procsim-clip: it needs CLIP's text encoder"));
  EXPECT_THAT(test::read_all(workspace.dataset.folder / "out" / "guidance-tiny.md"),
              HasSubstr("| ProcSim (words by CLIP) | – |"));
}

TEST_F(ProcsimTrainTable, WrongWordsSayWhatToDo) {
  const auto wrong = [&](const std::vector<std::string>& given, const std::string& said) {
    const auto result = workspace.run(given);
    EXPECT_EQ(result.exit_code, 2) << said;
    EXPECT_THAT(result.err, HasSubstr(said));
  };
  wrong({"table", "ablatoin"}, "ablation");
  wrong({"table", "ablation", "--methods", "procsin"}, "procsim");
  wrong({"table", "ablation", "--noise", "unifrom-0.5"}, "uniform-0.5");
  wrong({"table", "ablation", "--noise", "uniform"}, "uniform-0.5");
  wrong({"table", "ablation", "--set", "guidance"}, "field=value");
  wrong({"table", "ablation", "--set", "lamda=2"}, "lambda");
  wrong({"table", "ablation", "--set", "seed=2"}, "--seeds");
  wrong({"table", "ablation", "--set", "@lr=2"}, "row@field=value");
  wrong({"table", "ablation", "--set", "mss@lr=2"}, "ms");
  wrong({"table", "ablation", "--set", "ms@lamda=2"}, "lambda");
}

TEST_F(ProcsimTrainTable, ACellThatCannotRunIsADashWithTheReason) {
  const auto result = workspace.run({"table", "clean", "--methods", "ms,ms+plg", "--budget", "1", "--set",
                                     "image-size=32", "--set", "batch=12", "--set", "dimension=16", "--set",
                                     "weights=none", "--output", "out", "--models", "nowhere"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("failed: ms+plg, none, seed 1: "));
  EXPECT_THAT(test::read_all(workspace.dataset.folder / "out" / "clean-tiny.md"),
              HasSubstr("| MS + PLG | – | – | – |"));
}

}  // namespace
}  // namespace procsim
