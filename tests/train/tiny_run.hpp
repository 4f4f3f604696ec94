#pragma once

#include <filesystem>

#include "tests/train/tiny_dataset.hpp"
#include "train/runs/run_scores.hpp"

namespace procsim::test {

// A run of one epoch on the tiny data set, with everything that it leaves.
struct TinyRun {
  TinyDataset dataset;
  train::TrainData data = train::load_train_data(dataset.label_file(), dataset.root());
  train::TrainConfig config = [] {
    train::TrainConfig quick;
    quick.dimension = 16;
    quick.image_size = 32;
    quick.crop_scale = 0.5;
    quick.centre_crop = 1;
    quick.batch = 12;
    quick.epochs = 1;
    quick.lr = 2e-3;
    return quick;
  }();
  train::MachineOptions machine = [this] {
    train::MachineOptions options;
    options.device = "cpu";
    options.workers = 2;
    options.threads = 1;
    options.cache_folder = dataset.folder / "cache";
    return options;
  }();
  train::RunFiles files{dataset.folder / "run"};

  TinyRun() {
    std::filesystem::create_directories(files.folder);
    const auto result = train::train_run(config, data, files, machine, {});
    train::write_run_scores(config, data, files, machine, result, {});
  }
};

}  // namespace procsim::test
