#include <chrono>
#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <signal.h>

#include "tests/cli/launched_processes.hpp"
#include "tests/cli/procsim_train_workspace.hpp"
#include "tests/support/free_port.hpp"

namespace procsim {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

class ProcsimTrainProcesses : public ::testing::Test {
 protected:
  std::vector<std::string> words(const std::string& name, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"--name", name, "--nmi", "false"});
    return workspace.quick(more);
  }
  // Four batches of 12 make an epoch of the 48 samples.
  std::vector<std::string> twenty_steps(const std::string& name, const std::string& method) const {
    auto list = words(name, {"--epochs", "5", "--eval-every", "5", "--method", method});
    if (method == "co-teaching") list.insert(list.end(), {"--noise-rate", "0.2"});
    // Adam makes a step of the last bit of a gradient near 0, and the class that a posterior believes in
    // flips on the last bit of an embedding: together two runs of one process go apart where lr differs by
    // 2e-7.
    if (method == "procsim-posterior") list.insert(list.end(), {"--optimizer", "sgd", "--lr", "0.01"});
    return list;
  }
  std::vector<test::ProgramResult> run(int size, const std::vector<std::string>& all_words) const {
    return test::LaunchedProcesses(workspace.dataset.folder.path(), size, all_words).wait();
  }
  std::map<std::int64_t, double> losses(const std::string& name) const {
    const auto opened = Workspace::open(workspace.dataset.folder.path());
    const auto record = opened.run(name);
    std::map<std::int64_t, double> values;
    if (!record) return values;
    for (const auto& row : opened.metrics(record->id))
      if (row.name == "loss") values[row.epoch] = row.value;
    return values;
  }
  void expect_same_losses(const std::string& a, const std::string& b, std::size_t epochs) const {
    const auto first = losses(a);
    const auto second = losses(b);
    ASSERT_EQ(first.size(), epochs) << a;
    ASSERT_EQ(second.size(), epochs) << b;
    for (const auto& [epoch, loss] : first) EXPECT_NEAR(loss, second.at(epoch), 1e-4) << "epoch " << epoch;
    EXPECT_GT(std::abs(first.begin()->second - first.rbegin()->second), 1e-3) << "it has learnt nothing";
  }

  test::TrainWorkspace workspace;
};

struct Case {
  std::string method;
  int size;
};

class SameAsOneProcess : public ProcsimTrainProcesses, public ::testing::WithParamInterface<Case> {};

TEST_P(SameAsOneProcess, OverTwentySteps) {
  const auto& [method, size] = GetParam();
  const auto alone = workspace.run(twenty_steps("alone", method));
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  const auto results = run(size, twenty_steps("together", method));
  for (const auto& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  for (std::size_t rank = 1; rank < results.size(); ++rank)
    EXPECT_EQ(results[rank].out + results[rank].err, "") << "only the first one speaks";
  EXPECT_THAT(results.front().out, HasSubstr("together"));
  expect_same_losses("alone", "together", 5);
  for (const char* file : {"config.json", "metrics.csv", "metrics.jsonl", "report.html", "last.safetensors",
                           "best.safetensors", "scores.parquet"})
    EXPECT_TRUE(std::filesystem::exists(workspace.run_folder("together") / file)) << file;
  EXPECT_EQ(Workspace::open(workspace.dataset.folder.path()).run("together")->status, "done");
}

INSTANTIATE_TEST_SUITE_P(Methods, SameAsOneProcess,
                         ::testing::Values(Case{"procsim", 2}, Case{"procsim", 3}, Case{"mcl+prism", 2},
                                           Case{"lsd", 2}, Case{"co-teaching", 2},
                                           Case{"procsim-posterior", 2}, Case{"ahs", 2}),
                         [](const auto& one) {
                           std::string name = one.param.method + std::to_string(one.param.size);
                           std::erase_if(name,
                                         [](unsigned char letter) { return std::isalnum(letter) == 0; });
                           return name;
                         });

TEST_F(ProcsimTrainProcesses, ALostProcessEndsTheRunAndAnotherNumberResumesIt) {
  ASSERT_EQ(workspace.run(words("whole", {"--epochs", "12"})).exit_code, 0);
  test::LaunchedProcesses three(workspace.dataset.folder.path(), 3,
                                words("cut", {"--epochs", "12", "--checkpoint-steps", "1"}));
  // A process of the three is killed in the middle of an epoch: a checkpoint of its steps is there.
  const auto last = workspace.run_folder("cut") / "metrics.csv";
  ASSERT_TRUE(three.wait_for(last));
  three.kill(1, SIGKILL);
  const auto results = three.wait();
  EXPECT_EQ(results[1].exit_code, 128 + SIGKILL);
  for (const std::size_t left : {0U, 2U}) {
    EXPECT_EQ(results[left].exit_code, 1);
    EXPECT_THAT(results[left].err, AllOf(HasSubstr(" stops: process"), HasSubstr(" ended"),
                                         HasSubstr("procsim-train --resume cut")));
  }
  // The first to notice names it; the other may see that one end before.
  EXPECT_THAT(results[0].err + results[2].err, ContainsRegex("process(es)? ([02], )?1[ ,]"));
  EXPECT_EQ(Workspace::open(workspace.dataset.folder.path()).run("cut")->status, "failed");
  const auto resumed = run(2, {"--resume", "cut", "--device", "cpu", "--threads", "1"});
  for (const auto& result : resumed) ASSERT_EQ(result.exit_code, 0) << result.err;
  expect_same_losses("whole", "cut", 12);
}

TEST_F(ProcsimTrainProcesses, AStopSignalToOneSavesAndStopsAll) {
  test::LaunchedProcesses two(workspace.dataset.folder.path(), 2, words("cut", {"--epochs", "4000"}));
  ASSERT_TRUE(two.wait_for(workspace.run_folder("cut") / "metrics.csv"));
  two.kill(1, SIGTERM);
  const auto results = two.wait();
  for (const auto& result : results) EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(results[0].err, HasSubstr("stopped and saved. Go on with: procsim-train --resume cut"));
  EXPECT_EQ(results[1].err, "");
  EXPECT_EQ(Workspace::open(workspace.dataset.folder.path()).run("cut")->status, "interrupted");
}

TEST_F(ProcsimTrainProcesses, DifferentCommandLinesAreRefused) {
  test::LaunchedProcesses two(workspace.dataset.folder.path(), 2, [&](int rank) {
    return words("one", {"--epochs", "1", "--lr", rank == 0 ? "0.001" : "0.002"});
  });
  for (const auto& result : two.wait()) {
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr("the settings are not the same in all processes"));
  }
}

TEST_F(ProcsimTrainProcesses, ABatchNeedsASampleForEachProcess) {
  for (const auto& result : run(3, words("one", {"--batch", "2"}))) {
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr("a batch of 2 has no sample for each of 3 processes"));
  }
}

TEST_F(ProcsimTrainProcesses, WhatTheFirstCannotDoNobodyDoes) {
  const auto results = run(2, words("one", {"--labels", "nowhere.parquet"}));
  for (const auto& result : results) {
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr("nowhere.parquet"));
  }
}

TEST_F(ProcsimTrainProcesses, WrongVariablesOfALauncherAreWrongWords) {
  const auto alone = [&](const std::map<std::string, std::string>& variables) {
    return test::run_program(
        "procsim-train", words("one"),
        {.folder = workspace.dataset.folder.path(), .environment = variables, .input = {}});
  };
  const auto half = alone({{"RANK", "0"}});
  EXPECT_EQ(half.exit_code, 2);
  EXPECT_THAT(half.err, HasSubstr("RANK is set and WORLD_SIZE is not"));
  EXPECT_EQ(alone({{"RANK", "2"}, {"WORLD_SIZE", "2"}}).exit_code, 2);
}

TEST_F(ProcsimTrainProcesses, AnAddressWhereNobodyIsEndsAfterTheTimeout) {
  const auto result = test::run_program("procsim-train", words("one", {"--process-timeout", "1"}),
                                        {.folder = workspace.dataset.folder.path(),
                                         .environment = {{"RANK", "1"},
                                                         {"WORLD_SIZE", "2"},
                                                         {"MASTER_ADDR", "127.0.0.1"},
                                                         {"MASTER_PORT", std::to_string(test::free_port())}},
                                         .input = {}});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("process 1 of 2 did not meet the others at 127.0.0.1:"));
}

}  // namespace
}  // namespace procsim
