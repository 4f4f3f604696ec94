#include <set>

#include <gtest/gtest.h>

#include "train/settings/config.hpp"

namespace procsim::train {
namespace {

// Written from the paper (its section 4 and appendix "Implementation details"), not from the code. Lines that
// the paper leaves to others: the shift by one is the published code's, the least crop area and the test crop
// are torchvision's and the field's.
struct Row {
  const char* setting;
  nlohmann::ordered_json cub200, cars196, sop;
};

const std::vector<Row>& table() {
  static const std::vector<Row> rows{
      {"backbone", "resnet50", "resnet50", "resnet50"},
      {"weights", "", "", ""},  // IMAGENET1K_V2, from the model folder
      {"dimension", 512, 512, 512},
      {"head_init", "random", "random", "random"},  // a new fully connected layer
      {"train_from", "", "", ""},                   // everything learns
      {"batch_norm", "frozen", "frozen", "frozen"},
      {"loss", "ms", "ms", "ms"},
      {"confidence", "procsim", "procsim", "procsim"},
      {"confidence_from", "proxy-nca", "proxy-nca", "proxy-nca"},
      {"confidence_scope", "anchor", "anchor", "anchor"},
      {"threshold", "otsu", "otsu", "otsu"},
      {"average_over", "samples", "samples", "samples"},
      {"warmup", 0, 0, 0},
      {"distillation", "off", "off", "off"},
      {"lambda", 1.0, 0.1, 0.1},
      {"proxy_scale", 1.0, 1.0, 1.0},
      {"proxy_lr", 1e-3, 1e-3, 1e-3},  // Adam's default
      {"proxy_init", "random", "random", "random"},
      {"joint_proxies", false, false, false},
      {"guidance", "plg", "plg", "plg"},
      {"omega", 10.0, 5.5, 0.5},
      {"guidance_shift", 1.0, 1.0, 1.0},
      {"guidance_per", "class", "class", "class"},
      {"guidance_ranks", 5, 5, 5},
      {"confidence_on_guidance", false, false, false},
      {"guidance_backbone", "resnet50", "resnet50", "resnet50"},
      {"guidance_weights", "", "", ""},
      {"text_encoder", "all-minilm-l6-v2", "all-minilm-l6-v2", "all-minilm-l6-v2"},  // theirs is CLIP's
      {"text_pooling", "mean", "mean", "mean"},  // as that encoder wants it
      {"optimizer", "adam", "adam", "adam"},
      {"lr", 1e-4, 1e-5, 1e-5},
      {"momentum", 0.9, 0.9, 0.9},  // of sgd: Adam reads none
      {"weight_decay", 4e-4, 4e-4, 4e-4},
      {"epochs", 150, 250, 250},
      {"batch", 90, 90, 90},  // of one process; the paper has four
      {"per_class", 2, 2, 2},
      {"image_size", 224, 224, 224},
      {"crop_scale", 0.08, 0.08, 0.08},
      {"centre_crop", 0.875, 0.875, 0.875},
      {"flip", true, true, true},
      {"eval_every", 1, 1, 5},  // the paper does not say; 60,000 test images take their time
      {"recall_at", {1, 2, 4, 8}, {1, 2, 4, 8}, {1, 10, 100, 1000}},
      {"precision", "fp32", "fp32", "fp32"},
  };
  return rows;
}

TEST(Presets, AreThePapers) {
  const auto cub200 = to_json(preset_config("cub200"));
  const auto cars196 = to_json(preset_config("cars196"));
  const auto sop = to_json(preset_config("sop"));
  EXPECT_TRUE(preset_config("cub200").options.empty());  // of Multi-Similarity: registry_test.cpp
  for (const auto& row : table()) {
    EXPECT_EQ(cub200.at(row.setting), row.cub200) << row.setting;
    EXPECT_EQ(cars196.at(row.setting), row.cars196) << row.setting;
    EXPECT_EQ(sop.at(row.setting), row.sop) << row.setting;
  }
}

// A setting that is added later has a line above, or is named here as none of the paper's.
TEST(Presets, NoSettingIsForgottenInTheTable) {
  std::set<std::string> known{"preset",    "method",  // its name: registry_test.cpp
                              "seed",      "fold_models", "nmi",
                              "views",        // of kept activations, which --train-from alone makes
                              "noise_rate"};  // for methods that need it: ProcSim does not
  for (const auto& row : table()) known.insert(row.setting);
  const auto fields = to_json(TrainConfig{});
  for (const auto& [setting, value] : fields.items())
    EXPECT_TRUE(known.contains(setting)) << setting << " is held against nothing";
}

TEST(Presets, OursTrainByThePosteriorOfEveryLabelAndDivideByTheTrustThatContributes) {
  for (const auto& name : preset_names()) {
    const auto config = preset_config(name);
    const bool ours = name.ends_with("-best");
    EXPECT_EQ(config.confidence, ours ? "posterior" : "procsim") << name;
    EXPECT_EQ(config.confidence_scope, ours ? "pair" : "anchor") << name;
    EXPECT_EQ(config.average_over, ours ? "trust" : "samples") << name;
    EXPECT_EQ(config.warmup, 0) << name;  // the posterior does without
  }
}

}  // namespace
}  // namespace procsim::train
