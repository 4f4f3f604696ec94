#pragma once

#include "tests/train/tiny_dataset.hpp"
#include "train/settings/config.hpp"
#include "train/settings/machine.hpp"

namespace procsim::test {

// Settings that train on the tiny data set in a second.
inline train::TrainConfig quick_config(std::int64_t epochs) {
  train::TrainConfig quick;
  quick.backbone = "small";
  quick.dimension = 16;
  quick.image_size = 32;
  quick.crop_scale = 0.5;
  quick.centre_crop = 1;
  quick.batch = 12;
  quick.epochs = epochs;
  quick.lr = 2e-3;
  return quick;
}

inline train::MachineOptions quick_machine(const TinyDataset& dataset) {
  train::MachineOptions machine;
  machine.device = "cpu";
  machine.workers = 2;
  machine.threads = 1;
  machine.cache_folder = dataset.folder / "cache";
  return machine;
}

}  // namespace procsim::test
