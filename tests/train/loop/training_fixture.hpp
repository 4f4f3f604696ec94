#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "data/labels/scores.hpp"
#include "tests/train/quick_config.hpp"
#include "tests/train/tiny_dataset.hpp"
#include "train/loop/train_run.hpp"
#include "train/runs/run_scores.hpp"

namespace procsim::train {

inline TrainConfig quick_config() {
  auto config = test::quick_config(3);
  config.lambda = 0.1;
  return config;
}

class Training : public ::testing::Test {
 protected:
  test::TinyDataset dataset;
  TrainData data = load_train_data(dataset.label_file(), dataset.root());
  TrainConfig config = quick_config();
  MachineOptions machine = test::quick_machine(dataset);

  RunFiles files(const std::string& name) { return RunFiles(dataset.folder / name); }

  TrainResult train(const std::string& name, const TrainObserver& observer = {}, bool resume = false) {
    std::filesystem::create_directories(files(name).folder);
    auto result = train_run(config, data, files(name), machine, observer, {.resume = resume});
    if (result.finished) write_run_scores(config, data, files(name), machine, result, observer);
    return result;
  }

  // Stops after so many steps, then goes on until the end, as often as it takes.
  void train_in_pieces(const std::string& name, int steps_at_once) {
    bool resume = false;
    for (int piece = 0; piece < 100; ++piece) {
      std::atomic<bool> stop{false};
      int steps = 0;
      TrainObserver observer;
      observer.stop = &stop;
      observer.step = [&](const StepReport&) {
        if (++steps == steps_at_once) stop = true;
      };
      if (train(name, observer, resume).finished) return;
      resume = true;
    }
    FAIL() << "never finished";
  }

  void expect_same_files(const std::string& a, const std::string& b) {
    for (const std::string name : {"last.safetensors", "best.safetensors", "metrics.csv", "metrics.jsonl",
                                   "scores.parquet", "events.out.tfevents.0.procsim"})
      EXPECT_EQ(test::read_all(files(a).folder / name), test::read_all(files(b).folder / name)) << name;
  }

  std::vector<ScoreRow> scores(const std::string& name) {
    ScoresReader reader(files(name).scores());
    std::vector<ScoreRow> all;
    for (auto rows = reader.next(); !rows.empty(); rows = reader.next())
      all.insert(all.end(), rows.begin(), rows.end());
    return all;
  }
};

}  // namespace procsim::train
