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
  "preset": "mine", "method": "oracle", "loss": "contrastive", "confidence": "oracle", "confidence_from": "ms",
  "confidence_scope": "pair", "threshold": "gmm", "lambda": 0.25, "warmup": 7, "average_over": "trust",
  "distillation": "lsd", "noise_rate": 0.125, "guidance": "plg", "omega": 5.5, "guidance_shift": 0.5,
  "confidence_on_guidance": true, "guidance_per": "sample", "guidance_ranks": 6, "guidance_backbone": "resnet18", "guidance_weights": "g.safetensors",
  "text_encoder": "bert", "text_pooling": "cls", "proxy_scale": 1.5, "proxy_lr": 0.0625, "proxy_init":
  "means", "joint_proxies": true, "backbone": "resnet50", "weights": "w.safetensors", "dimension": 65,
  "head_init": "pca", "train_from": "layer3", "batch_norm": "learn", "optimizer": "sgd", "lr": 0.5,
  "momentum": 0.375, "weight_decay": 0.03125, "epochs": 11, "batch": 12, "per_class": 3, "image_size":
  33, "crop_scale": 0.625, "centre_crop": 0.6875, "flip": false, "views": 9, "eval_every": 13,
  "recall_at": [1, 17], "nmi": false, "fold_models": 4, "seed": 99, "precision": "bf16",
  "circle_margin": 0.375, "circle_pooled": true
})";

// Options of a component, as a registry would describe them.
const std::vector<OptionInfo> kOptions{{"circle_margin", "", 0.4}, {"circle_pooled", "", false}};

TEST(Config, HasItsJson) {
  TrainConfig config;
  config.preset = "mine";
  config.method = "oracle";
  config.loss = "contrastive";
  config.confidence = "oracle";
  config.confidence_from = "ms";
  config.confidence_scope = "pair";
  config.threshold = "gmm";
  config.lambda = 0.25;
  config.warmup = 7;
  config.average_over = "trust";
  config.distillation = "lsd";
  config.noise_rate = 0.125;
  config.options = {{"circle_margin", 0.375}, {"circle_pooled", true}};
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
  EXPECT_EQ(to_json(config_from_json(json, "test", kOptions)).dump(), json.dump());
  const auto defaults = to_json(TrainConfig{});
  for (const auto& [name, value] : json.items()) {
    if (defaults.contains(name)) {  // options of components have their defaults in the registry
      EXPECT_NE(defaults.at(name), value) << name;
    }
  }
}

TEST(Config, SurvivesItsJson) {
  for (const auto& name : preset_names()) {
    const auto config = preset_config(name);
    EXPECT_EQ(to_json(config_from_json(to_json(config), "test")), to_json(config)) << name;
    config.validate();
  }
}

TEST(Config, WrongValuesNameTheOptionAndTheChoices) {
  TrainConfig config;
  config.optimizer = "adamm";
  try {
    config.validate();
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("--optimizer adamm"));
    EXPECT_THAT(error.what(), HasSubstr("adamw"));
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

TEST(Config, OptionsOfComponentsHaveTheirDefaultsAndTheirTypes) {
  auto json = to_json(TrainConfig{});
  EXPECT_EQ(config_from_json(json, "x", kOptions).options.at("circle_margin"), 0.4);
  json["circle_margin"] = 1;  // a whole number is a number
  EXPECT_EQ(config_from_json(json, "x", kOptions).options.at("circle_margin"), 1);
  EXPECT_THROW(config_from_json(json, "x"), Error) << "nobody knows it";
  json["circle_margin"] = "wide";
  EXPECT_THROW(config_from_json(json, "x", kOptions), Error);
  json["circle_margin"] = 0.3;
  json["circle_pooled"] = 1;
  EXPECT_THROW(config_from_json(json, "x", kOptions), Error);
}

TEST(Config, OfAnEarlierVersionIsRead) {
  auto json = to_json(TrainConfig{});
  json.erase("fold_models");
  json.erase("guidance_shift");
  json.erase("distillation");
  json.erase("noise_rate");
  const auto config = config_from_json(json, "x");
  EXPECT_EQ(config.fold_models, 0);     // nobody judged but the run's own network
  EXPECT_EQ(config.guidance_shift, 1);  // as the paper has it
  EXPECT_EQ(config.distillation, "off");
  EXPECT_EQ(config.noise_rate, -1);  // from true labels
}

}  // namespace
}  // namespace procsim::train
