#include "train/settings/fine_tuning.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "train/settings/architecture.hpp"
#include "train/settings/config.hpp"
#include "train/settings/model_folder.hpp"

namespace procsim::train {
namespace {

TEST(FineTuning, StartsAtAStageThatTheBackboneHas) {
  for (const auto& one : fine_tunings()) {
    const auto* architecture = find_architecture(one.backbone);
    ASSERT_NE(architecture, nullptr) << one.backbone;
    EXPECT_THAT(stage_names(*architecture), ::testing::Contains(one.train_from)) << one.backbone;
  }
}

TEST(FineTuning, EveryBackboneThatCanBeTheBestHasOne) {
  for (const auto& name : backbones_by_quality()) EXPECT_NE(find_fine_tuning(name), nullptr) << name;
  EXPECT_EQ(find_fine_tuning("small"), nullptr);
}

TEST(FineTuning, OursForPretrainedBackbonesTakeTheBestOne) {
  for (const auto& name : preset_names())
    EXPECT_EQ(takes_best_backbone(name, preset_config(name).backbone),
              name == "cub200-best" || name == "cars196-best" || name == "sop-best")
        << name;
}

}  // namespace
}  // namespace procsim::train
