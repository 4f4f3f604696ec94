#include "train/models/backbone.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "train/models/embedder.hpp"

namespace procsim::train {
namespace {

class AnyBackbone : public ::testing::TestWithParam<std::string> {};

TEST_P(AnyBackbone, CutAtAnyStageGivesTheSameFeatures) {
  auto backbone = make_backbone(GetParam(), 3, false);
  backbone->eval();
  const torch::NoGradGuard no_gradients;
  const auto pixels = torch::cos(0.01 * torch::arange(3 * 64 * 64, torch::kFloat32)).view({1, 3, 64, 64});
  const auto whole = backbone->run_from(0, pixels);
  auto x = pixels;
  for (std::size_t stage = 0; stage < backbone->stages().size(); ++stage) {
    x = backbone->run_stage(stage, x);
    EXPECT_TRUE(torch::equal(backbone->run_from(stage + 1, x), whole)) << backbone->stages()[stage];
  }
}

TEST_P(AnyBackbone, StagesShareOutAllParameters) {
  auto backbone = make_backbone(GetParam(), 3, false);
  std::int64_t count = 0;
  for (std::size_t stage = 0; stage < backbone->stages().size(); ++stage)
    for (const auto& parameter : backbone->stage_parameters(stage)) count += parameter.numel();
  std::int64_t all = 0;
  for (const auto& parameter : backbone->parameters()) all += parameter.numel();
  EXPECT_EQ(count, all);
}

INSTANTIATE_TEST_SUITE_P(Backbones, AnyBackbone,
                         ::testing::Values("small", "resnet18", "resnet50", "resnet50-v1",
                                           "efficientnet-lite0", "dinov2-vits14-reg", "deit-ti16-distilled",
                                           "clip-vit-b32", "swin-t"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Backbone, AnUnknownStageSuggestsTheNearest) {
  try {
    make_backbone("small", 1, false)->stage_index("blok2");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("block2"));
  }
}

}  // namespace
}  // namespace procsim::train
