#include "train/settings/config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"

namespace procsim::train {
namespace {

using ::testing::HasSubstr;

// config.json with no setting at its default, written out: a setting that neither direction knew would
// survive every round trip.
constexpr const char* kEverySetting = R"({
  "preset": "mine", "loss": "contrastive", "confidence": "oracle", "confidence_from": "ms",
  "confidence_scope": "pair", "threshold": "gmm", "lambda": 0.25, "warmup": 7, "ms_alpha": 3.5,
  "ms_beta": 41.5, "ms_delta": 0.75, "ms_epsilon": 0.125, "ms_mining": false, "guidance": "plg",
  "omega": 5.5, "guidance_shift": 0.5, "confidence_on_guidance": true, "guidance_per": "sample",
  "guidance_ranks": 6, "guidance_backbone": "resnet18", "guidance_weights": "g.safetensors",
  "text_encoder": "bert", "text_pooling": "cls", "proxy_scale": 1.5, "proxy_lr": 0.0625, "proxy_init":
  "means", "joint_proxies": true, "backbone": "resnet50", "weights": "w.safetensors", "dimension": 65,
  "head_init": "pca", "train_from": "layer3", "batch_norm": "learn", "optimizer": "sgd", "lr": 0.5,
  "momentum": 0.375, "weight_decay": 0.03125, "epochs": 11, "batch": 12, "per_class": 3, "image_size":
  33, "crop_scale": 0.625, "centre_crop": 0.6875, "flip": false, "views": 9, "eval_every": 13,
  "recall_at": [1, 17], "nmi": false, "fold_models": 4, "seed": 99, "precision": "bf16"
})";

TEST(Config, HasItsJson) {
  TrainConfig config;
  config.preset = "mine";
  config.loss = "contrastive";
  config.confidence = "oracle";
  config.confidence_from = "ms";
  config.confidence_scope = "pair";
  config.threshold = "gmm";
  config.lambda = 0.25;
  config.warmup = 7;
  config.ms_alpha = 3.5;
  config.ms_beta = 41.5;
  config.ms_delta = 0.75;
  config.ms_epsilon = 0.125;
  config.ms_mining = false;
  config.guidance = "plg";
  config.omega = 5.5;
  config.guidance_shift = 0.5;
  config.confidence_on_guidance = true;
  config.guidance_per = "sample";
  config.guidance_ranks = 6;
  config.guidance_backbone = "resnet18";
  config.guidance_weights = "g.safetensors";
  config.text_encoder = "bert";
  config.text_pooling = "cls";
  config.proxy_scale = 1.5;
  config.proxy_lr = 0.0625;
  config.proxy_init = "means";
  config.joint_proxies = true;
  config.backbone = "resnet50";
  config.weights = "w.safetensors";
  config.dimension = 65;
  config.head_init = "pca";
  config.train_from = "layer3";
  config.batch_norm = "learn";
  config.optimizer = "sgd";
  config.lr = 0.5;
  config.momentum = 0.375;
  config.weight_decay = 0.03125;
  config.epochs = 11;
  config.batch = 12;
  config.per_class = 3;
  config.image_size = 33;
  config.crop_scale = 0.625;
  config.centre_crop = 0.6875;
  config.flip = false;
  config.views = 9;
  config.eval_every = 13;
  config.recall_at = {1, 17};
  config.nmi = false;
  config.fold_models = 4;
  config.seed = 99;
  config.precision = "bf16";
  const auto json = nlohmann::ordered_json::parse(kEverySetting);
  EXPECT_EQ(to_json(config).dump(), json.dump());
  EXPECT_EQ(to_json(config_from_json(json, "test")).dump(), json.dump());
  const auto defaults = to_json(TrainConfig{});
  for (const auto& [name, value] : json.items()) EXPECT_NE(defaults[name], value) << name;
}

TEST(Config, SurvivesItsJson) {
  for (const auto& name : preset_names()) {
    const auto config = preset_config(name);
    EXPECT_EQ(to_json(config_from_json(to_json(config), "test")), to_json(config)) << name;
    config.validate();
  }
}

TEST(Config, PresetsHaveThePapersValues) {
  EXPECT_EQ(preset_config("cub200").lambda, 1.0);
  EXPECT_EQ(preset_config("cub200").lr, 1e-4);
  EXPECT_EQ(preset_config("cub200").batch, 90);
  EXPECT_EQ(preset_config("cub200").epochs, 150);
  EXPECT_EQ(preset_config("cub200").weight_decay, 4e-4);
  EXPECT_EQ(preset_config("cub200").backbone, "resnet50");
  EXPECT_EQ(preset_config("cars196").lambda, 0.1);
  EXPECT_EQ(preset_config("cars196").lr, 1e-5);
  EXPECT_EQ(preset_config("cars196").epochs, 250);
  EXPECT_EQ(preset_config("sop").recall_at, (std::vector<std::int64_t>{1, 10, 100, 1000}));
}

TEST(Config, WrongValuesNameTheOptionAndTheChoices) {
  TrainConfig config;
  config.loss = "mss";
  try {
    config.validate();
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("--loss mss"));
    EXPECT_THAT(error.what(), HasSubstr("proxy-nca"));
  }
  config = {};
  config.batch = 91;
  EXPECT_THROW(config.validate(), UsageError);
  config = {};
  config.lambda = 0;
  EXPECT_THROW(config.validate(), UsageError);
  EXPECT_THROW(preset_config("cub"), UsageError);
}

TEST(Config, UnknownAndMissingSettingsAreErrors) {
  auto json = to_json(TrainConfig{});
  json["lamda"] = 1;
  EXPECT_THROW(config_from_json(json, "x"), Error);
  json.erase("lamda");
  json.erase("lambda");
  EXPECT_THROW(config_from_json(json, "x"), Error);
  json["lambda"] = "much";
  EXPECT_THROW(config_from_json(json, "x"), Error);
}

TEST(Config, OfAnEarlierVersionIsRead) {
  auto json = to_json(TrainConfig{});
  json.erase("fold_models");
  json.erase("guidance_shift");
  const auto config = config_from_json(json, "x");
  EXPECT_EQ(config.fold_models, 0);     // nobody judged but the run's own network
  EXPECT_EQ(config.guidance_shift, 1);  // as the paper has it
}

}  // namespace
}  // namespace procsim::train
