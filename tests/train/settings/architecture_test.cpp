#include "train/settings/architecture.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace procsim::train {
namespace {

using ::testing::ElementsAre;

TEST(Architecture, EveryNameIsThereOnce) {
  std::set<std::string> names;
  for (const auto& one : architectures()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_EQ(find_architecture(one.name), &one);
    EXPECT_GE(one.input.resize, one.input.size) << one.name;
    EXPECT_FALSE(stage_names(one).empty()) << one.name;
  }
  EXPECT_EQ(find_architecture("resnet5"), nullptr);
}

// timm's tf_efficientnet_lite1 and 4: blocks and widths of the seven stages.
TEST(Architecture, LiteNetworksAreScaledAsPublished) {
  const EfficientNetLiteOptions lite1{1.0, 1.1}, lite4{1.4, 1.8};
  EXPECT_THAT(lite_repeats(lite1), ElementsAre(1, 3, 3, 4, 4, 5, 1));
  EXPECT_THAT(lite_repeats(lite4), ElementsAre(1, 4, 4, 6, 6, 8, 1));
  std::vector<std::int64_t> widths;
  for (const std::int64_t width : {16, 24, 40, 80, 112, 192, 320}) widths.push_back(lite_width(width, lite4));
  EXPECT_THAT(widths, ElementsAre(24, 32, 56, 112, 160, 272, 448));
}

TEST(Architecture, InputsAreThePublishedOnes) {
  const auto& dinov2 = find_architecture("dinov2-vits14")->input;
  EXPECT_EQ(dinov2.size, 224);
  EXPECT_EQ(dinov2.resize, 256);
  EXPECT_TRUE(dinov2.pixels.bicubic);
  EXPECT_FLOAT_EQ(dinov2.pixels.mean[0], 0.485F * 255);
  EXPECT_EQ(find_architecture("swin-b")->input.resize, 238);
  // torchvision: ResNet50_Weights.IMAGENET1K_V2 and ResNet101's, ResNet18_Weights.IMAGENET1K_V1.
  EXPECT_EQ(find_architecture("resnet50")->input.resize, 232);
  EXPECT_EQ(find_architecture("resnet101")->input.resize, 232);
  EXPECT_EQ(find_architecture("resnet50-v1")->input.resize, 256);
  EXPECT_EQ(find_architecture("resnet18")->input.resize, 256);
  EXPECT_EQ(find_architecture("efficientnet-lite4")->input.size, 300);
  EXPECT_FLOAT_EQ(find_architecture("clip-vit-b16")->input.pixels.deviation[2], 0.27577711F * 255);
}

TEST(Architecture, StagesOfATransformerAreItsBlocks) {
  const auto stages = stage_names(*find_architecture("dinov2-vits14"));
  EXPECT_EQ(stages.front(), "patches");
  EXPECT_EQ(stages[12], "block11");
  EXPECT_EQ(stages.back(), "top");
}

}  // namespace
}  // namespace procsim::train
