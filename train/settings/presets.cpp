#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/base/error.hpp"
#include "data/base/suggest.hpp"
#include "train/settings/config.hpp"
#include "train/settings/fine_tuning.hpp"

// What preset_config of config.hpp knows.
namespace procsim::train {
namespace {

struct Preset {
  std::string name;
  TrainConfig config;
};

// The paper's, and nothing else (docs/paper-map.md, "Presets"): tests/train/settings/presets_test.cpp holds
// every number against it.
TrainConfig cub200() {
  TrainConfig config;
  config.backbone = "resnet50";
  config.head_init = "random";
  config.batch_norm = "frozen";
  config.guidance = "plg";
  config.guidance_backbone = "resnet50";
  return config;
}

TrainConfig cars196() {
  auto config = cub200();
  config.lambda = 0.1;
  config.omega = 5.5;
  config.lr = 1e-5;
  config.epochs = 250;
  return config;
}

TrainConfig sop() {
  auto config = cars196();
  config.omega = 0.5;
  config.recall_at = {1, 10, 100, 1000};
  config.eval_every = 5;
  return config;
}

TrainConfig fieldguide() {
  TrainConfig config;
  config.backbone = "small";
  config.dimension = 64;
  config.image_size = 64;
  config.crop_scale = 0.5;
  config.centre_crop = 1;
  config.lr = 1e-3;
  config.weight_decay = 1e-4;
  config.batch = 48;
  config.per_class = 4;
  config.epochs = 30;
  config.lambda = 0.1;
  config.eval_every = 5;
  return config;
}

// Ours, procsim-posterior: labels count in pairs by the probability that they are right, and losses are
// divided by the trust that contributes. What it does not read is for methods that are asked for beside it:
// class means, a confidence that is decided sharply, and proxies that start at the class means.
void sharpen(TrainConfig& config) {
  config.average_over = "trust";
  config.confidence = "posterior";
  config.confidence_scope = "pair";
  config.confidence_from = "class-means";
  config.lambda = 0.01;
  config.proxy_scale = 6;
  config.proxy_init = "means";
  config.proxy_lr = 1e-2;
}

// Minutes on two cores: the last blocks of a pretrained backbone on kept activations. Where a better one than
// this has weights, the program takes that (fine_tuning.hpp).
TrainConfig best(TrainConfig config) {
  sharpen(config);
  config.head_init = "auto";
  config.batch_norm = "auto";
  config.guidance = "off";
  config.guidance_backbone = TrainConfig{}.guidance_backbone;
  const auto& last_blocks = *find_fine_tuning("efficientnet-lite0");
  config.backbone = last_blocks.backbone;
  config.train_from = last_blocks.train_from;
  config.image_size = last_blocks.image_size;
  config.centre_crop = last_blocks.centre_crop;
  config.lr = 1e-4;
  config.epochs = 6;
  config.crop_scale = 0.16;
  config.eval_every = 1;
  return config;
}

TrainConfig fieldguide_best() {
  auto config = fieldguide();
  sharpen(config);
  config.proxy_init = "random";  // the start model is untrained: its class means say nothing
  return config;
}

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = [] {
    std::vector<Preset> list{{"default", {}},
                             {"cub200", cub200()},
                             {"cars196", cars196()},
                             {"sop", sop()},
                             {"fieldguide", fieldguide()},
                             {"cub200-best", best(cub200())},
                             {"cars196-best", best(cars196())},
                             {"sop-best", best(sop())},
                             {"fieldguide-best", fieldguide_best()}};
    for (auto& preset : list) preset.config.preset = preset.name;
    return list;
  }();
  return all;
}

}  // namespace

const std::vector<std::string>& preset_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& preset : presets()) list.push_back(preset.name);
    return list;
  }();
  return names;
}

TrainConfig preset_config(std::string_view name) {
  for (const auto& preset : presets())
    if (preset.name == name) return preset.config;
  throw UsageError(fmt::format("unknown preset '{}' ({}){}", name, fmt::join(preset_names(), ", "),
                               did_you_mean(name, preset_names())));
}

std::vector<std::string> presets_of_datasets() {
  std::vector<std::string> names;
  for (const auto& name : preset_names())
    if (name == "default" || name.ends_with("-best")) names.push_back(name);
  return names;
}

std::string preset_for_dataset(std::string_view dataset) {
  const auto wanted = fmt::format("{}-best", dataset);
  const auto& names = preset_names();
  return std::find(names.begin(), names.end(), wanted) != names.end() ? wanted : "default";
}

}  // namespace procsim::train
