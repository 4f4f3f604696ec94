#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "data/images/image.hpp"
#include "tests/train/tiny_inputs.hpp"

namespace procsim::train {
namespace {

using ::testing::HasSubstr;

class ImageInputsTest : public TinyInputs {};

TEST_F(ImageInputsTest, CentreCropsAreScaledPixels) {
  const std::vector<std::int64_t> samples{0, 5};
  const auto batch = images().centred(samples);
  EXPECT_EQ(batch.sizes(), (std::vector<std::int64_t>{2, 3, 32, 32}));
  EXPECT_LE(batch.max().item<float>(), 1.0F);
  EXPECT_GE(batch.min().item<float>(), -1.0F);
  EXPECT_GT(batch.std().item<float>(), 0.3F);
}

TEST_F(ImageInputsTest, AnAugmentationDependsOnItsDrawAlone) {
  const std::vector<std::int64_t> samples{3, 1, 3};
  const auto keeping = images();
  const auto decoding = images(0);
  const auto batch = keeping.augmented(samples, 17);
  EXPECT_TRUE(torch::equal(batch, keeping.augmented(samples, 17)));
  EXPECT_TRUE(torch::equal(batch, decoding.augmented(samples, 17)));
  EXPECT_FALSE(torch::equal(batch, keeping.augmented(samples, 18)));
  EXPECT_FALSE(torch::equal(batch[0], batch[2])) << "two places of one batch get two crops";
}

// Stripes of eight pixels in 256 × 256: gone in an eighth of the size, which is all that a centre crop of 32
// needs, and plain to see in half of it, which the smallest random crop needs.
TEST_F(ImageInputsTest, RandomCropsAreCutFromAsManyPixelsAsTheSmallestNeeds) {
  Image stripes{256, 256, std::vector<std::uint8_t>(3 * 256 * 256)};
  for (std::size_t i = 0; i < stripes.rgb.size(); ++i) stripes.rgb[i] = i / 3 % 8 < 4 ? 0 : 255;
  dataset.folder.write("images/" + data.train[2].path, encode_jpeg(stripes, 95));
  config.crop_scale = 0.0625;
  const std::vector<std::int64_t> samples{2};
  const auto inputs = images();
  float sharpest = 0;
  for (std::int64_t draw = 0; draw < 50; ++draw)
    sharpest = std::max(sharpest, inputs.augmented(samples, draw).std().item<float>());
  EXPECT_GT(sharpest, 0.5F);
  EXPECT_LT(inputs.centred(samples).std().item<float>(), 0.1F);
}

TEST_F(ImageInputsTest, WhatIsKeptDoesNotChangeWhatACropSees) {
  config.image_size = 8;  // the tiny images are decoded smaller for a centre crop, not for a random one
  config.crop_scale = 0.0625;
  const std::vector<std::int64_t> samples{1};
  const auto decoding = images(0);
  const auto centre_first = images();
  const auto centred = centre_first.centred(samples);
  EXPECT_TRUE(torch::equal(centre_first.augmented(samples, 3), decoding.augmented(samples, 3)));
  const auto random_first = images();
  random_first.augmented(samples, 3);
  EXPECT_TRUE(torch::equal(random_first.centred(samples), centred));
}

TEST_F(ImageInputsTest, ABrokenImageIsAnErrorWithItsPath) {
  const auto& path = data.train[4].path;
  dataset.folder.write("images/" + path, "\xff\xd8\xff broken");
  const std::vector<std::int64_t> samples{4};
  try {
    images().centred(samples);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(path));
  }
}

}  // namespace
}  // namespace procsim::train
