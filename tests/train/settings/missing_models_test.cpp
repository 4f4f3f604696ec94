#include "train/settings/missing_models.hpp"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/test_files.hpp"

namespace procsim::train {
namespace {

using test::error_of;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class MissingModels : public ::testing::Test {
 protected:
  test::TemporaryFolder folder;
  MachineOptions machine = [this] {
    MachineOptions options;
    options.model_folder = folder.path();
    return options;
  }();

  std::string said_of(const TrainConfig& config) {
    const auto needs = models_of_run(config, machine);
    return error_of([&] { require_models(needs, machine.model_folder); });
  }
  void have(const std::string& name) { folder.write(name, "x"); }
};

TEST_F(MissingModels, OneMessageNamesAllOfAPaperPresetAndTheWayToEach) {
  const auto said = said_of(preset_config("cub200"));
  EXPECT_THAT(said, HasSubstr("backbone and guidance classifier resnet50 (scripts/convert_weights.py "
                              "torchvision:resnet50 " +
                              (folder / "resnet50.safetensors").string() + ")"));
  EXPECT_THAT(said, HasSubstr("text encoder all-minilm-l6-v2 (scripts/setup.sh --models)"));
  EXPECT_THAT(said, Not(HasSubstr("\n")));
}

TEST_F(MissingModels, WhatIsThereIsNotNamed) {
  have("resnet50.fp16.safetensors");
  EXPECT_THAT(said_of(preset_config("sop")),
              AllOf(HasSubstr("all-minilm-l6-v2"), Not(HasSubstr("resnet50"))));
  std::filesystem::create_directory(folder / "all-minilm-l6-v2");
  EXPECT_NO_THROW(require_models(models_of_run(preset_config("sop"), machine), folder.path()));
}

TEST_F(MissingModels, EachBackboneHasItsWay) {
  TrainConfig config;
  const auto way_to = [&](const std::string& backbone) {
    config.backbone = backbone;
    return said_of(config);
  };
  EXPECT_THAT(way_to("dinov2-vits14"), HasSubstr("(scripts/setup.sh --models)"));
  EXPECT_THAT(way_to("efficientnet-lite2"), HasSubstr("timm:tf_efficientnet_lite2"));
  EXPECT_THAT(way_to("vit-b16"), HasSubstr("torchvision:vit_b_16"));
  EXPECT_THAT(way_to("clip-vit-b32"), HasSubstr("scripts/convert_weights.py FILE "));
  EXPECT_THAT(way_to("resnet51"), HasSubstr("procsim-train models --all"));
}

TEST_F(MissingModels, NothingIsNeededOfTheFolderWhereFilesAreNamed) {
  auto config = preset_config("cub200");
  config.weights = "none";
  config.guidance_weights = "classifier.safetensors";
  config.text_encoder = (folder / "encoder").string();
  EXPECT_THAT(said_of(config), AllOf(HasSubstr("text encoder encoder"), Not(HasSubstr("resnet50"))));
  config.guidance = "file:vectors.parquet";
  const auto needs = models_of_run(config, machine);
  EXPECT_EQ(needs.backbone + needs.classifier + needs.text_encoder.string(), "");
  config.weights.clear();
  config.backbone = "small";
  EXPECT_EQ(models_of_run(config, machine).backbone, "");
}

TEST_F(MissingModels, AFileThatAnOptionNamesIsTakenAsItIs) {
  const auto given = folder.write("mine.safetensors", "x");
  EXPECT_EQ(require_weights("--weights", given.string(), {.backbone = "resnet50"}, folder.path()), given);
  EXPECT_THAT(error_of([&] { require_weights("--weights", "nowhere", {}, folder.path()); }),
              HasSubstr("--weights nowhere: there is no such file"));
  have("resnet50.fp16.safetensors");
  EXPECT_EQ(require_weights("--guidance-weights", "", {.classifier = "resnet50"}, folder.path()),
            folder / "resnet50.fp16.safetensors");
}

// What the messages promise of the script is what the script fetches.
TEST_F(MissingModels, SetupBringsWhatIsSaidToComeFromIt) {
  std::ifstream file(test::source_folder() / "scripts/setup.sh");
  std::stringstream script;
  script << file.rdbuf();
  for (const char* name :
       {"dinov2-vits14.fp16.safetensors", "efficientnet-lite0.safetensors", "all-minilm-l6-v2"})
    EXPECT_THAT(script.str(), HasSubstr(name));
}

}  // namespace
}  // namespace procsim::train
