#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/labels/guidance_table.hpp"
#include "train/reports/observer.hpp"
#include "train/samples/train_data.hpp"
#include "train/settings/config.hpp"
#include "train/settings/machine.hpp"

namespace procsim::train {

class Guidance;          // train/guidance/guidance.hpp
struct ImageNetOutputs;  // train/guidance/imagenet_outputs.hpp

// How a guidance table is made.
struct PseudoLabelOptions {
  std::string backbone = "efficientnet-lite0";
  std::filesystem::path
      weights;  // with the classifier's 1,000-way layer; empty: the backbone's in the model folder
  std::filesystem::path text_encoder;
  std::string pooling = "mean";
  std::int64_t ranks = 5;
  bool per_sample = false;
};
PseudoLabelOptions pseudo_label_options(const TrainConfig& config, const MachineOptions& machine);

// What a pretrained classifier says of the training images (train/guidance/imagenet_outputs.hpp). It is kept
// in the cache folder under the digest of images and weights. Throws Error when the weights' last layer has
// not 1,000 outputs.
ImageNetOutputs imagenet_outputs(const PseudoLabelOptions& options, const TrainData& data,
                                 const MachineOptions& machine, const TrainObserver& observer);

// Logits averaged per training class (by the given label) or per sample, the best classes, their names in "A
// photo of a {name}", the text encoder's vectors of these.
GuidanceTable make_guidance_table(const PseudoLabelOptions& options, const TrainData& data,
                                  const MachineOptions& machine, const TrainObserver& observer);

// The table's place in the cache folder: its name is the digest of everything that it is made from.
std::filesystem::path guidance_table_path(const PseudoLabelOptions& options, const TrainData& data,
                                          const MachineOptions& machine);

// The guidance that a configuration asks for; nothing with --guidance off or --omega 0. Makes the table of
// plg where it is missing.
std::optional<Guidance> open_guidance(const TrainConfig& config, const TrainData& data,
                                      const MachineOptions& machine, const TrainObserver& observer);

}  // namespace procsim::train
