#include "train/methods/registry.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/train/first_step.hpp"

namespace procsim::train {
namespace {

using ::testing::HasSubstr;

TEST(Registry, EveryComponentSaysWhatItIs) {
  const auto& registry = builtin_registry();
  const auto expect_words = [](const Component& component) {
    EXPECT_FALSE(component.description.empty()) << component.name;
    EXPECT_FALSE(component.source.empty()) << component.name;
  };
  for (const auto& name : registry.names_of("loss")) expect_words(registry.loss(name));
  for (const auto& name : registry.names_of("confidence")) expect_words(registry.confidence(name));
  for (const auto& name : registry.names_of("method")) expect_words(registry.method(name));
  EXPECT_THAT(registry.help_of("method"), HasSubstr("procsim ("));
  EXPECT_EQ(registry.help_of("lr"), "");
  EXPECT_THAT(registry.names_of("loss"), ::testing::Contains("ms"));
}

TEST(Registry, EveryMethodComposesWhatItStandsFor) {
  const auto& registry = builtin_registry();
  for (const auto& name : registry.names_of("method")) {
    const auto& method = registry.method(name);
    TrainConfig config;
    registry.use_method(config, method.name);
    registry.check(config);
    auto named = config;
    named.method = "?";
    registry.name_method(named);
    if (!method.make) {
      EXPECT_EQ(named.method, method.name);
    }
    test::FirstStep step;
    config.dimension = step.config.dimension;
    step.config = config;
    step.wrong.assign(6, 0);
    EXPECT_NE(step.method(), nullptr) << method.name;
  }
}

// What settings/presets_test.cpp cannot see without LibTorch. Written from the paper: α 2 and β 40; its "δ =
// 0.1" is the margin of the mining in the code that it names (docs/paper-map.md).
TEST(Registry, ThePresetsOfThePaperAreItsMethodWithItsLoss) {
  const auto& registry = builtin_registry();
  for (const char* preset : {"cub200", "cars196", "sop"}) {
    auto config = registry.config_from_json(to_json(preset_config(preset)), preset);
    registry.name_method(config);
    EXPECT_EQ(config.method, "procsim") << preset;
    const auto json = to_json(config);
    EXPECT_EQ(json.at("ms_alpha"), 2.0) << preset;
    EXPECT_EQ(json.at("ms_beta"), 40.0) << preset;
    EXPECT_EQ(json.at("ms_delta"), 0.5) << preset;
    EXPECT_EQ(json.at("ms_epsilon"), 0.1) << preset;
    EXPECT_EQ(json.at("ms_mining"), true) << preset;
  }
}

TEST(Registry, PresetsStandForTheirMethodAndGoTogether) {
  const auto& registry = builtin_registry();
  for (const auto& name : preset_names()) {
    auto config = preset_config(name);
    registry.name_method(config);
    EXPECT_EQ(config.method, name.ends_with("-best") ? "procsim-posterior" : "procsim") << name;
    registry.check(config);
  }
  auto config = preset_config("cub200-best");
  config.confidence = "procsim";
  registry.name_method(config);
  EXPECT_EQ(config.method, "procsim-means") << "which is one word away";
}

TEST(Registry, SaysWhereAConfidenceComesFromOnlyWhereItIsAsked) {
  const auto said = [](const char* method) {
    auto config = preset_config("cub200-best");
    builtin_registry().use_method(config, method);
    return builtin_registry().describe(config);
  };
  EXPECT_THAT(said("procsim-means"), HasSubstr("confidence procsim from class-means (pair)"));
  EXPECT_THAT(said("procsim-posterior"), HasSubstr("confidence posterior (pair)"));
}

TEST(Registry, FlagsThatComposeAMethodHaveItsName) {
  TrainConfig config;
  config.confidence = "none";
  builtin_registry().name_method(config);
  EXPECT_EQ(config.method, "ms");
  config.loss = "proxy-nca";
  builtin_registry().name_method(config);
  EXPECT_EQ(config.method, "proxy-nca");
  config.confidence = "oracle";
  builtin_registry().name_method(config);
  EXPECT_EQ(config.method, "composed");
  builtin_registry().check(config);
}

TEST(Registry, WhatDoesNotGoWithAMethodIsRefusedWithTheReason) {
  TrainConfig config;
  config.confidence = "oracle";
  test::expect_error([&] { builtin_registry().use_method(config, "ms", {"confidence"}); },
                     {"--confidence oracle", "--method ms", "--confidence none"});
  builtin_registry().use_method(config, "ms", {"lr"});  // what the preset said gives way
  EXPECT_EQ(config.confidence, "none");
  config.confidence = "oracle";
  test::expect_error([&] { builtin_registry().check(config); }, {"--method ms"});
}

TEST(Registry, UnknownNamesAreWrongWordsWithTheNearest) {
  TrainConfig config;
  EXPECT_THROW(builtin_registry().use_method(config, "procsin"), UsageError);
  config.loss = "mss";
  test::expect_error([&] { builtin_registry().check(config); }, {"--loss mss", "proxy-nca", "ms"});
  config = {};
  config.confidence = "procsi";
  test::expect_error([&] { builtin_registry().check(config); }, {"--confidence procsi", "procsim"});
}

TEST(Registry, ChecksTheOptionsOfWhatIsUsed) {
  TrainConfig config;
  config.options["ms_alpha"] = -1.0;
  test::expect_error([&] { builtin_registry().check(config); }, {"--ms-alpha -1"});
  config.loss = "contrastive";
  builtin_registry().name_method(config);
  builtin_registry().check(config);  // another loss's options are no matter
  config.confidence = "superloss";
  config.confidence_scope = "pair";
  builtin_registry().name_method(config);
  test::expect_error([&] { builtin_registry().check(config); }, {"superloss", "--confidence-scope pair"});
}

TEST(Registry, OptionsReachTheLoss) {
  test::FirstStep step;
  step.config.confidence = "none";
  const double plain = step.run().objective;
  step.config.options["ms_delta"] = 0.25;
  EXPECT_NE(step.run().objective, plain);
}

TEST(Registry, ReadsConfigurationsOfBeforeItsTime) {
  auto json = to_json(TrainConfig{});
  json.erase("method");
  json["confidence"] = "none";
  json["ms_alpha"] = 3.0;  // they had the options of Multi-Similarity among their fields
  const auto config = builtin_registry().config_from_json(json, "config.json");
  EXPECT_EQ(config.method, "ms");
  EXPECT_EQ(config.options.at("ms_alpha"), 3);
  EXPECT_EQ(config.options.at("ms_beta"), 40);
}

TEST(Registry, WhatNeedsTheNoiseRateSaysSoAndWhatToDo) {
  test::FirstStep step;
  for (const auto& [method, who] : {std::pair{"mcl+prism", "--confidence prism"},
                                    {"f-correction", "--loss f-correction"},
                                    {"co-teaching", "--method co-teaching"}}) {
    step.config = {};
    builtin_registry().use_method(step.config, method);
    step.config.dimension = 8;
    EXPECT_EQ(builtin_registry().needs_rate(step.config), who);
    step.noise_rate.reset();
    test::expect_error([&] { step.method(); }, {who, "--noise-rate"});
    step.noise_rate = 0.2;
    EXPECT_NE(step.method(), nullptr);
  }
  for (const auto* method : {"procsim", "procsim-means", "ms", "lsd", "gmm"}) {
    builtin_registry().use_method(step.config, method);
    EXPECT_EQ(builtin_registry().needs_rate(step.config), "") << method;
  }
}

TEST(Registry, AMethodOfItsOwnRefusesWhatComposesAWeightedLoss) {
  TrainConfig config;
  config.guidance = "plg";
  test::expect_error([&] { builtin_registry().use_method(config, "co-teaching", {"lambda"}); },
                     {"--lambda", "--method co-teaching", "Leave one"});
  builtin_registry().use_method(config, "co-teaching", {"lr", "noise_rate"});
  EXPECT_EQ(config.guidance, "off") << "what the preset said gives way";
}

TEST(Registry, AnOptionThatNothingReadsIsRefused) {
  TrainConfig config;
  builtin_registry().use_method(config, "mcl+prism");
  builtin_registry().check_options(config, {"prism_window", "memory_size"});
  test::expect_error([&] { builtin_registry().check_options(config, {"triplet_margin"}); },
                     {"--triplet-margin", "mcl"});
  builtin_registry().use_method(config, "co-teaching-temperature");
  builtin_registry().check_options(config, {"nsoftmax_lr", "co_teaching_epochs"});
  test::expect_error([&] { builtin_registry().check_options(config, {"classifier_lr"}); },
                     {"--classifier-lr", "co-teaching-temperature"});
  builtin_registry().use_method(config, "lsd");
  builtin_registry().check_options(config, {"lsd_alpha", "ms_alpha"});
}

TEST(Registry, ABatchThatIsTooSmallForTheRateSaysHowLargeItMustBe) {
  test::FirstStep step;
  for (const auto* method : {"mcl+prism", "co-teaching"}) {
    step.config = {};
    builtin_registry().use_method(step.config, method);
    step.config.dimension = 8;
    step.config.batch = 6;
    step.noise_rate = 0.1;
    test::expect_error([&] { step.method(); }, {"--batch 10", "0.1"});
    step.config.batch = 10;
    EXPECT_NE(step.method(), nullptr);
    step.noise_rate = 0;  // drops nothing, which is right
    step.config.batch = 6;
    EXPECT_NE(step.method(), nullptr);
  }
}

TEST(Registry, ListsEveryMethodWithWhatItKeepsAndNeeds) {
  const auto list = builtin_registry().list();
  EXPECT_EQ(list.size(), builtin_registry().names_of("method").size());
  for (const auto& info : list) {
    EXPECT_FALSE(info.source.empty()) << info.name;
    const bool needs = info.name.find("prism") != std::string::npos || info.name.starts_with("co-teaching") ||
                       info.name == "f-correction" || info.name == "sgps";
    EXPECT_EQ(info.needs_rate, needs) << info.name;
    if (info.name == "mcl+prism") {
      EXPECT_THAT(info.state, HasSubstr("memory"));
    }
    if (info.name == "triplet") {
      EXPECT_EQ(info.state, "");
    }
  }
}

TEST(Registry, LsdGoesWithAnyLoss) {
  TrainConfig config;
  config.loss = "triplet";
  builtin_registry().use_method(config, "lsd", {"loss"});
  builtin_registry().check(config);
  EXPECT_EQ(config.loss, "triplet");
  config.options["lsd_alpha"] = -1.0;
  test::expect_error([&] { builtin_registry().check(config); }, {"--lsd-alpha"});
}

TEST(Registry, AMixtureNeedsALossOfSamples) {
  TrainConfig config;
  config.confidence = "gmm";
  builtin_registry().name_method(config);
  test::expect_error([&] { builtin_registry().check(config); },
                     {"--confidence gmm", "--loss ms", "nsoftmax"});
  config.loss = "soft-triple";
  builtin_registry().name_method(config);
  builtin_registry().check(config);
}

TEST(Registry, TheOracleNeedsTruth) {
  test::FirstStep step;
  step.config.confidence = "oracle";
  EXPECT_THROW(step.method(), UsageError);
}

// A method of its own, as one with two networks would be.
class Still : public Method {
 public:
  explicit Still(Network& network) : network_(network) {}
  std::vector<Quantity> quantities() const override { return {}; }
  Embedder& evaluated() override { return network_.model(); }
  StepOutcome step(const Batch&) override { return {}; }
  void save(const CheckpointPart& part) override { network_.save(part); }
  void restore(const CheckpointPart& part) override { network_.restore(part); }

 private:
  Network& network_;
};

TEST(Registry, AMethodMayBeItsOwn) {
  auto registry = builtin_registry();
  MethodComponent still;
  still.name = "still";
  still.make = [](MethodParts& parts) { return std::make_unique<Still>(parts.network); };
  registry.add(still);
  test::FirstStep step;
  registry.use_method(step.config, "still");
  registry.check(step.config);
  const auto method = step.method({}, registry);
  EXPECT_NE(dynamic_cast<Still*>(method.get()), nullptr);
  auto named = step.config;
  registry.name_method(named);
  EXPECT_EQ(named.method, "still") << "no flags compose it";
  EXPECT_EQ(registry.describe(step.config), "method still");
}

}  // namespace
}  // namespace procsim::train
