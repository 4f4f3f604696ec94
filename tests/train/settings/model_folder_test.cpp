#include "train/settings/model_folder.hpp"

#include <gtest/gtest.h>

#include "tests/support/test_files.hpp"

namespace procsim::train {
namespace {

TEST(ModelFolder, TheBestBackboneWhoseWeightsAreThereIsTaken) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(best_backbone(folder.path()), std::nullopt);
  folder.write("efficientnet-lite0.safetensors", "x");
  EXPECT_EQ(best_backbone(folder.path()), "efficientnet-lite0");
  const auto half = folder.write("dinov2-vits14.fp16.safetensors", "x");
  EXPECT_EQ(best_backbone(folder.path()), "dinov2-vits14");
  EXPECT_EQ(find_weights(folder.path(), "dinov2-vits14"), half);
  const auto full = folder.write("dinov2-vits14.safetensors", "x");
  EXPECT_EQ(find_weights(folder.path(), "dinov2-vits14"), full) << "full precision first";
}

}  // namespace
}  // namespace procsim::train
