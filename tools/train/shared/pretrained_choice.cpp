#include "tools/train/shared/pretrained_choice.hpp"

#include <fmt/format.h>

#include "data/base/error.hpp"
#include "tools/program/validators.hpp"
#include "train/settings/architecture.hpp"
#include "train/settings/model_folder.hpp"

namespace procsim::tools {

void add_pretrained_options(CLI::App* command, PretrainedChoice& choice) {
  command
      ->add_option("--backbone", choice.backbone,
                   "Backbone of --no-train (default: the best whose weights are there)")
      ->check(offering(train::backbone_names()));
  command
      ->add_option("--image-size", choice.image_size,
                   "Side in pixels for --no-train (default: the backbone's own)")
      ->check(CLI::Range(16, 1024));
  command
      ->add_option("--precision", choice.precision,
                   "Arithmetic of --no-train: fp32, bf16, or auto: bf16 where the processor computes in it")
      ->capture_default_str()
      ->check(one_of({"auto", "fp32", "bf16"}));
}

PretrainedChoice with_backbone(PretrainedChoice choice, const train::MachineOptions& machine,
                               const GlobalOptions& global) {
  if (!choice.backbone.empty()) return choice;
  const auto best = train::best_backbone(machine.model_folder);
  if (!best)
    throw Error(
        fmt::format("--no-train needs a pretrained backbone, and {} holds none. Run scripts/setup.sh "
                    "--models, or name one with --backbone ('procsim-train models' lists them).",
                    machine.model_folder.string()));
  say(global, fmt::format("backbone: {} (the best whose weights are there)", *best));
  choice.backbone = *best;
  return choice;
}

train::TrainConfig pretrained_config(const PretrainedChoice& choice) {
  train::TrainConfig config;
  if (!choice.backbone.empty()) config.backbone = choice.backbone;
  config.centre_crop = 1;
  // Lite0 sees the whole shorter side, as its figures in docs/results.md were measured.
  if (const auto* known = train::find_architecture(choice.backbone);
      known != nullptr && known->name != "efficientnet-lite0") {
    config.image_size = known->input.size;
    config.centre_crop = static_cast<double>(known->input.size) / static_cast<double>(known->input.resize);
  }
  config.image_size = choice.image_size.value_or(config.image_size);
  config.precision = choice.precision;
  return config;
}

}  // namespace procsim::tools
