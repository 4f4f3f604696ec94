#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
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
