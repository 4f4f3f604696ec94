#pragma once

#include <filesystem>

#include "tests/train/quick_config.hpp"
#include "tests/train/tiny_dataset.hpp"
#include "train/runs/run_scores.hpp"

namespace procsim::test {

// A run of one epoch on the tiny data set, with everything that it leaves.
struct TinyRun {
  TinyDataset dataset;
  train::TrainData data = train::load_train_data(dataset.label_file(), dataset.root());
  train::TrainConfig config = quick_config(1);
  train::MachineOptions machine = quick_machine(dataset);
  train::RunFiles files{dataset.folder / "run"};

  TinyRun() {
    std::filesystem::create_directories(files.folder);
    const auto result = train::train_run(config, data, files, machine, {});
    train::write_run_scores(config, data, files, machine, result, {});
  }
};

}  // namespace procsim::test
