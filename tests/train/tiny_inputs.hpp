#pragma once

#include <gtest/gtest.h>

#include "tests/train/tiny_dataset.hpp"
#include "train/inputs/inputs.hpp"

namespace procsim::train {

inline TrainConfig small_config() {
  TrainConfig config;
  config.image_size = 32;
  config.crop_scale = 0.4;
  config.centre_crop = 1;
  config.views = 2;
  return config;
}

// Images of the tiny data set as inputs.
class TinyInputs : public ::testing::Test {
 protected:
  test::TinyDataset dataset;
  TrainData data = load_train_data(dataset.label_file(), dataset.root());
  TrainConfig config = small_config();

  ImageInputs images(std::int64_t memory = 1 << 24) {
    return ImageInputs(data.root, data.train, config, PixelScale{}, memory);
  }
};

}  // namespace procsim::train
