#include <algorithm>
#include <csignal>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "data/base/digest.hpp"
#include "data/files/file_name.hpp"
#include "data/labels/label_set.hpp"
#include "data/labels/scores.hpp"
#include "tests/cli/procsim_train_workspace.hpp"

namespace procsim {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class ProcsimTrain : public ::testing::Test {
 protected:
  test::TrainWorkspace workspace;
};

TEST_F(ProcsimTrain, TrainsOnTheNewestLabelsAndLeavesARunInTheWorkspace) {
  const auto result = workspace.run(workspace.quick());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("labels: tiny uniform 0.1 seed 1"));
  EXPECT_THAT(result.out, HasSubstr("tiny-1"));
  const auto folder = workspace.run_folder("tiny-1");
  for (const char* file : {"config.json", "metrics.csv", "metrics.jsonl", "report.html", "last.safetensors",
                           "best.safetensors", "scores.parquet", "events.out.tfevents.0.procsim"})
    EXPECT_TRUE(std::filesystem::exists(folder / file)) << file;
  const auto opened = Workspace::open(workspace.dataset.folder.path());
  const auto run = opened.run("tiny-1");
  ASSERT_TRUE(run);
  EXPECT_EQ(run->status, "done");
  const auto scores = opened.newest_scores("tiny");
  ASSERT_TRUE(scores);
  EXPECT_EQ(opened.resolve(scores->path), folder / "scores.parquet");
  EXPECT_EQ(scores->run, run->id);
  EXPECT_EQ(scores->digest, sha256_file(folder / "scores.parquet"));
  EXPECT_FALSE(opened.metrics(run->id).empty());
  EXPECT_EQ(ScoresReader(folder / "scores.parquet").rows(), 48);
}

TEST_F(ProcsimTrain, AMethodByNameIsWhatItsFlagsCompose) {
  ASSERT_EQ(workspace.run(workspace.quick({"--method", "ms", "--epochs", "0"})).exit_code, 0);
  ASSERT_EQ(
      workspace.run(workspace.quick({"--confidence", "none", "--epochs", "0", "--ms-alpha", "3"})).exit_code,
      0);
  const auto settings = [&](const std::string& name) {
    return nlohmann::json::parse(test::read_all(workspace.run_folder(name) / "config.json"))["train"];
  };
  for (const std::string name : {"tiny-1", "tiny-2"}) {
    EXPECT_EQ(settings(name)["method"], "ms");
    EXPECT_EQ(settings(name)["confidence"], "none");
  }
  EXPECT_EQ(settings("tiny-1")["ms_alpha"], 2.0);
  EXPECT_EQ(settings("tiny-2")["ms_alpha"], 3.0);
}

// A run goes on with the arithmetic that it began with, so its settings hold what auto stood for.
TEST_F(ProcsimTrain, AutomaticPrecisionIsSettledAndSaidWhenARunStarts) {
  const auto settled = workspace.run(workspace.quick({"--precision", "auto", "--epochs", "0"}));
  ASSERT_EQ(settled.exit_code, 0) << settled.err;
  const auto said = [&](const std::string& name) {
    const auto config = nlohmann::json::parse(test::read_all(workspace.run_folder(name) / "config.json"));
    return config["train"]["precision"].get<std::string>();
  };
  EXPECT_THAT(said("tiny-1"), testing::AnyOf("fp32", "bf16"));
  EXPECT_THAT(settled.err, HasSubstr("precision: " + said("tiny-1") + " (the processor has "));
  const auto asked = workspace.run(workspace.quick({"--precision", "bf16", "--epochs", "0"}));
  ASSERT_EQ(asked.exit_code, 0) << asked.err;
  EXPECT_EQ(said("tiny-2"), "bf16");
  EXPECT_THAT(asked.err, Not(HasSubstr("precision:")));
}

TEST_F(ProcsimTrain, WhatDoesNotGoTogetherIsAWrongWord) {
  const auto contradiction = workspace.run({"--method", "ms", "--confidence", "oracle"});
  EXPECT_EQ(contradiction.exit_code, 2);
  EXPECT_THAT(contradiction.err, HasSubstr("--confidence oracle does not go with --method ms"));
  const auto unknown = workspace.run({"--method", "procsin"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("procsim"));
  const auto type = workspace.run({"--ms-mining", "perhaps"});
  EXPECT_EQ(type.exit_code, 2);
  EXPECT_THAT(type.err, HasSubstr("true or false"));
}

// The workspace's labels are "uniform 0.1 seed 1"; two more runs: another seed of it, and another noise.
TEST_F(ProcsimTrain, RunsAreComparedByTheHarmonicMeanOverColumnsOfNoise) {
  const auto train_on = [&](const std::string& summary, std::size_t changed) {
    auto set = workspace.dataset.labels;
    set.rows[changed].label = (set.rows[changed].label + 1) % 3;
    const auto file = workspace.dataset.folder / (summary + ".parquet");
    write_label_set(file, set, IfExists::kFail);
    auto record = Workspace::open(workspace.dataset.folder.path()).label_sets("tiny").front();
    record.path = file.string();
    record.digest = sha256_file(file);
    record.summary = summary;
    Workspace::open(workspace.dataset.folder.path()).put_label_set(record);
    ASSERT_EQ(workspace.run(workspace.quick({"--epochs", "1", "--labels", file.string()})).exit_code, 0);
  };
  ASSERT_EQ(workspace.run(workspace.quick({"--epochs", "1"})).exit_code, 0);
  train_on("uniform 0.1 seed 2", 0);
  const auto seeds = nlohmann::json::parse(workspace.run({"runs", "--json"}).out);
  EXPECT_TRUE(seeds[0]["harmonic_mean"].is_null()) << "two seeds of a noise are one column";
  train_on("semantic 0.3 seed 1", 1);
  const auto rows = nlohmann::json::parse(workspace.run({"runs", "--json", "--metric", "map@r"}).out);
  ASSERT_EQ(rows.size(), 3U);
  std::map<std::string, std::vector<double>> columns;
  for (const auto& row : rows) columns[row["noise"].get<std::string>()].push_back(row["last"].get<double>());
  ASSERT_EQ(columns["uniform 0.1"].size(), 2U);
  ASSERT_EQ(columns["semantic 0.3"].size(), 1U);
  const double a = (columns["uniform 0.1"][0] + columns["uniform 0.1"][1]) / 2;
  const double b = columns["semantic 0.3"][0];
  EXPECT_NEAR(rows[0]["harmonic_mean"]["value"].get<double>(), 2 * a * b / (a + b), 1e-12);
  EXPECT_EQ(rows[0]["harmonic_mean"]["over"], nlohmann::json::array({"semantic 0.3", "uniform 0.1"}));
  const auto text = workspace.run({"runs", "--metric", "map@r"});
  EXPECT_THAT(text.out,
              HasSubstr(fmt::format("over 2 columns of noise (semantic 0.3, uniform 0.1): procsim {:.4f}",
                                    2 * a * b / (a + b))));
}

TEST_F(ProcsimTrain, ALabelSetInPartsHasOneDigest) {
  auto set = workspace.dataset.labels;
  const auto rows = set.rows;
  const auto half = rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2);
  const auto parts = workspace.dataset.folder / "parts";
  set.rows.assign(rows.begin(), half);
  write_label_set(parts / "0.parquet", set, IfExists::kFail);
  set.rows.assign(half, rows.end());
  write_label_set(parts / "1.parquet", set, IfExists::kFail);
  const auto result = workspace.run(workspace.quick({"--labels", parts.string(), "--epochs", "0"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto config = nlohmann::json::parse(test::read_all(workspace.run_folder("tiny-1") / "config.json"));
  EXPECT_EQ(config["format"], "run/1");
  EXPECT_EQ(config["labels"], parts_digest(parts));
  EXPECT_TRUE(Workspace::open(workspace.dataset.folder.path()).label_set_by_digest(parts_digest(parts)));
}

TEST_F(ProcsimTrain, AConfigurationOfAnotherFormatIsRefused) {
  workspace.dataset.folder.write("other/config.json", R"({"format": "run/2", "train": {}})");
  const auto result =
      workspace.run({"eval", "--run", "other", "--labels", workspace.dataset.label_file().string()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("config.json is not the configuration of a run (format run/1)"));
}

TEST_F(ProcsimTrain, QuietSaysNothingAndJsonIsForMachines) {
  const auto result = workspace.run(workspace.quick({"--quiet", "--json"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["run"], "tiny-1");
  EXPECT_TRUE(json["last"].contains("recall@1"));
}

// Files of these names are enough to be chosen; that they are no weights is the next thing said.
TEST_F(ProcsimTrain, ThePresetsOfOursTakeTheBestBackboneWhoseWeightsAreThere) {
  const auto models = workspace.dataset.folder / "models";
  const auto said = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"--preset", "cub200-best", "--models", models.string()};
    words.insert(words.end(), more.begin(), more.end());
    const auto result = workspace.run(words);
    EXPECT_EQ(result.exit_code, 1) << result.err;
    return result.err;
  };
  EXPECT_THAT(said({}), HasSubstr("setup.sh --models"));
  workspace.dataset.folder.write("models/efficientnet-lite0.safetensors", "no weights");
  EXPECT_THAT(said({}), HasSubstr("backbone: efficientnet-lite0 (the best"));
  workspace.dataset.folder.write("models/dinov2-vits14.safetensors", "no weights");
  EXPECT_THAT(said({}),
              AllOf(HasSubstr("backbone: dinov2-vits14 (the best"), HasSubstr("dinov2-vits14.safetensors")));
  EXPECT_THAT(said({"--backbone", "efficientnet-lite0"}),
              AllOf(HasSubstr("efficientnet-lite0.safetensors"), Not(HasSubstr("the best"))));
}

TEST_F(ProcsimTrain, NeverReplacesARunUnasked) {
  ASSERT_EQ(workspace.run(workspace.quick({"--name", "mine", "--epochs", "0"})).exit_code, 0);
  const auto again = workspace.run(workspace.quick({"--name", "mine", "--epochs", "0"}));
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.err, HasSubstr("--force"));
  EXPECT_EQ(workspace.run(workspace.quick({"--name", "other", "--epochs", "0"})).exit_code, 0);
}

TEST_F(ProcsimTrain, WorksOutsideAWorkspaceWithExplicitFiles) {
  const test::TemporaryFolder elsewhere;
  auto words = workspace.quick({"--labels", workspace.dataset.label_file().string(), "--root",
                                workspace.dataset.root().string(), "--output", (elsewhere / "run").string()});
  const auto result =
      test::run_program("procsim-train", words, {.folder = elsewhere.path(), .environment = {}, .input = {}});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(std::filesystem::exists(elsewhere / "run/scores.parquet"));
}

TEST_F(ProcsimTrain, WrongWordsAreRefusedWithTheChoices) {
  const auto expect_usage = [&](const std::vector<std::string>& words, const std::string& text) {
    const auto result = workspace.run(words);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr(text));
  };
  expect_usage({"--loss", "mss"}, "proxy-nca");
  expect_usage({"--preset", "cub"}, "cub200");
  expect_usage({"--confidence", "superloss", "--confidence-scope", "pair"}, "superloss");
  expect_usage({"--lambda", "0"}, "--lambda");
  expect_usage({"--lamda", "1"}, "--lambda");
  expect_usage(workspace.quick({"--device", "gpu"}), "auto");
  expect_usage(workspace.quick({"--backbone", "resnet5"}), "resnet50");
  expect_usage(workspace.quick({"--backbone", "net.pt"}), "--trust-code");
}

TEST_F(ProcsimTrain, AWordThatNothingReadsIsSaidInALine) {
  const auto result = workspace.run(workspace.quick({"--epochs", "0", "--omega", "2"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("--omega 2.0 changes nothing: --guidance is off\n"));
  EXPECT_THAT(result.err, Not(HasSubstr("--image-size")));
}

TEST_F(ProcsimTrain, BadDataIsOneLineWithAWayOut) {
  const auto expect_error = [&](const std::vector<std::string>& more, const std::string& text) {
    const auto result = workspace.run(workspace.quick(more));
    EXPECT_EQ(result.exit_code, 1) << result.err;
    EXPECT_THAT(result.err, HasSubstr(text));
  };
  expect_error({"--batch", "90"}, "--batch 12");
  expect_error({"--root", "/nowhere"}, "96 of 96 images are missing");
  expect_error({"--backbone", "resnet18", "--weights", workspace.dataset.label_file().string()},
               "labels.parquet");
  const auto pickle = workspace.dataset.folder.write("net.pth", "PK\x03\x04 zip");
  expect_error({"--backbone", "resnet18", "--weights", pickle.string()}, "scripts/convert_weights.py");
}

TEST_F(ProcsimTrain, AnAttemptThatSavedNothingIsNoRun) {
  const auto failed = workspace.run(workspace.quick({"--name", "mine", "--batch", "90"}));
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_EQ(workspace.run({"runs", "--json"}).out, "[]\n");
  EXPECT_FALSE(std::filesystem::exists(workspace.run_folder("mine")));
  const auto again = workspace.run(workspace.quick({"--name", "mine", "--epochs", "0"}));
  EXPECT_EQ(again.exit_code, 0) << again.err;
}

std::map<std::string, std::string> files_below(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      files[entry.path().lexically_relative(folder).string()] = test::read_all(entry.path());
  return files;
}

TEST_F(ProcsimTrain, ARunIsReplacedOnlyOnceTheNewOneHasACheckpoint) {
  ASSERT_EQ(workspace.run(workspace.quick({"--name", "mine", "--epochs", "1"})).exit_code, 0);
  const auto before = files_below(workspace.run_folder("mine"));
  const auto listed = workspace.run({"runs", "--json"}).out;
  const auto failed = workspace.run(workspace.quick({"--name", "mine", "--batch", "90", "--force"}));
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_EQ(files_below(workspace.run_folder("mine")), before);
  EXPECT_EQ(workspace.run({"runs", "--json"}).out, listed);

  const auto again = workspace.run(workspace.quick({"--name", "mine", "--epochs", "2", "--force"}));
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_NE(files_below(workspace.run_folder("mine")), before);
  const auto runs = nlohmann::json::parse(workspace.run({"runs", "--json"}).out);
  ASSERT_EQ(runs.size(), 1);
  EXPECT_EQ(runs[0]["status"], "done");
}

TEST_F(ProcsimTrain, AResumedRunThatFailsStaysListed) {
  ASSERT_EQ(workspace.run(workspace.quick({"--epochs", "1"})).exit_code, 0);
  workspace.dataset.folder.write("images/0/3.jpg", "\xff\xd8\xff no picture");
  EXPECT_EQ(workspace.run({"--resume", "tiny-1", "--epochs", "2", "--device", "cpu"}).exit_code, 1);
  EXPECT_EQ(Workspace::open(workspace.dataset.folder.path()).run("tiny-1")->status, "failed");
}

TEST_F(ProcsimTrain, FewClassesAreTrainedWithTheBatchThatTheyFill) {
  auto words = workspace.quick({"--epochs", "1"});
  const auto batch = std::find(words.begin(), words.end(), "--batch");
  words.erase(batch, batch + 2);
  const auto result = workspace.run(words);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("batches: 12 samples instead of"));
  const auto config = nlohmann::json::parse(test::read_all(workspace.run_folder("tiny-1") / "config.json"));
  EXPECT_EQ(config["train"]["batch"], 12);
  const auto longer = workspace.run({"--resume", "--epochs", "2", "--device", "cpu"});
  EXPECT_EQ(longer.exit_code, 0) << longer.err;
}

TEST_F(ProcsimTrain, LongNamesLeaveTheListOfRunsAligned) {
  ASSERT_EQ(workspace.run(workspace.quick({"--epochs", "0"})).exit_code, 0);
  ASSERT_EQ(workspace.run(workspace.quick({"--epochs", "0", "--name", "a-run-with-a-name-of-many-letters"}))
                .exit_code,
            0);
  std::istringstream text(workspace.run({"runs"}).out);
  std::string head, longest, shortest;
  std::getline(text, head);
  std::getline(text, longest);
  std::getline(text, shortest);
  EXPECT_EQ(longest.find("done"), head.find("status"));
  EXPECT_EQ(shortest.find("done"), head.find("status"));
  EXPECT_EQ(longest.find("uniform"), head.find("labels"));
}

TEST_F(ProcsimTrain, BrokenImagesStopTheRunOrAreSkipped) {
  workspace.dataset.folder.write("images/0/3.jpg", "\xff\xd8\xff no picture");
  const auto strict = workspace.run(workspace.quick());
  EXPECT_EQ(strict.exit_code, 1);
  EXPECT_THAT(strict.err, HasSubstr("0/3.jpg"));
  const auto lenient = workspace.run(workspace.quick({"--skip-broken"}));
  EXPECT_EQ(lenient.exit_code, 0) << lenient.err;
  EXPECT_THAT(lenient.err, HasSubstr("skipped: "));
  // What looks at the run's images later leaves out the same.
  for (const std::vector<std::string>& words : {std::vector<std::string>{"score", "--force"}, {"eval"}}) {
    const auto later = workspace.run(words);
    EXPECT_EQ(later.exit_code, 0) << later.err;
  }
}

TEST_F(ProcsimTrain, ClassesOfOneSampleTrain) {
  for (auto& row : workspace.dataset.labels.rows)
    if (row.split == "train" && row.label == 0 && row.sample_id > 1) row.label = 2;
  workspace.dataset.rewrite();
  const auto result = workspace.run(workspace.quick({"--labels", workspace.dataset.label_file().string()}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

test::RunningProgram started(const std::filesystem::path& folder, const std::vector<std::string>& words) {
  return {"procsim-train", words, {.folder = folder}};
}

void expect_same_run(const std::filesystem::path& a, const std::filesystem::path& b) {
  for (const char* file : {"last.safetensors", "metrics.csv", "scores.parquet"})
    EXPECT_EQ(test::read_all(a / file), test::read_all(b / file)) << file;
}

TEST_F(ProcsimTrain, CtrlCSavesAndResumingGivesTheSameRun) {
  ASSERT_EQ(workspace.run(workspace.quick({"--name", "whole", "--epochs", "40", "--nmi", "false"})).exit_code,
            0);
  auto child = started(workspace.dataset.folder.path(),
                       workspace.quick({"--name", "cut", "--epochs", "40", "--nmi", "false"}));
  ASSERT_TRUE(child.wait_for(workspace.run_folder("cut") / "last.safetensors"));
  const auto stopped = child.stop(SIGINT);
  EXPECT_EQ(stopped.exit_code, 1);
  EXPECT_THAT(stopped.err, HasSubstr("--resume cut"));
  EXPECT_EQ(Workspace::open(workspace.dataset.folder.path()).run("cut")->status, "interrupted");
  const auto resumed = workspace.run({"--resume", "cut", "--device", "cpu", "--threads", "1"});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  expect_same_run(workspace.run_folder("whole"), workspace.run_folder("cut"));
}

TEST_F(ProcsimTrain, AKilledRunResumesFromItsLastCheckpoint) {
  ASSERT_EQ(workspace.run(workspace.quick({"--name", "whole", "--epochs", "40", "--nmi", "false"})).exit_code,
            0);
  auto child = started(
      workspace.dataset.folder.path(),
      workspace.quick({"--name", "killed", "--epochs", "40", "--nmi", "false", "--checkpoint-steps", "1"}));
  ASSERT_TRUE(child.wait_for(workspace.run_folder("killed") / "last.safetensors"));
  EXPECT_EQ(child.stop(SIGKILL).exit_code, 128 + SIGKILL);
  const auto resumed = workspace.run({"--resume", "killed", "--device", "cpu", "--threads", "1"});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  expect_same_run(workspace.run_folder("whole"), workspace.run_folder("killed"));
}

// Its process is gone, and it has nothing to go on from: it is no running one, and starts from the beginning.
TEST_F(ProcsimTrain, ARunKilledBeforeItsFirstCheckpointIsInterruptedAndStartsAgain) {
  ASSERT_EQ(workspace.run(workspace.quick({"--name", "whole", "--epochs", "40", "--nmi", "false"})).exit_code,
            0);
  auto child = started(workspace.dataset.folder.path(),
                       workspace.quick({"--name", "killed", "--epochs", "40", "--nmi", "false"}));
  ASSERT_TRUE(child.wait_for(workspace.run_folder("killed") / "config.json"));
  while (!Workspace::open(workspace.dataset.folder.path()).run("killed")) ::usleep(1000);
  EXPECT_EQ(child.stop(SIGKILL).exit_code, 128 + SIGKILL);
  EXPECT_EQ(Workspace::open(workspace.dataset.folder.path()).run("killed")->status, "interrupted");
  const auto resumed = workspace.run({"--resume", "killed", "--device", "cpu", "--threads", "1"});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  expect_same_run(workspace.run_folder("whole"), workspace.run_folder("killed"));
}

TEST_F(ProcsimTrain, AResumedRunKeepsItsSettings) {
  ASSERT_EQ(workspace.run(workspace.quick({"--epochs", "1"})).exit_code, 0);
  const auto changed = workspace.run({"--resume", "tiny-1", "--lr", "0.1"});
  EXPECT_EQ(changed.exit_code, 2);
  EXPECT_THAT(changed.err, HasSubstr("--lr"));
  const auto longer = workspace.run({"--resume", "--epochs", "2", "--device", "cpu"});
  EXPECT_EQ(longer.exit_code, 0) << longer.err;
  EXPECT_THAT(longer.err, HasSubstr("resuming tiny-1"));
  EXPECT_EQ(workspace.run({"--resume", "tiny-9"}).exit_code, 1);
}

}  // namespace
}  // namespace procsim
