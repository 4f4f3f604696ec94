#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "train/models/torch.hpp"
#include "train/settings/architecture.hpp"

namespace procsim::train {

// The part of a network from pixels to pooled features, cut into named stages so that training can start at
// any of them. Parameter and buffer names are those of the Python library that the weights come from.
class Backbone : public torch::nn::Module {
 public:
  explicit Backbone(const Architecture& architecture)
      : Backbone(stage_names(architecture), architecture.features, architecture.input.pixels) {}
  Backbone(std::vector<std::string> stages, std::int64_t features, const PixelScale& scale)
      : stages_(std::move(stages)), features_(features), scale_(scale) {}

  // In the order of execution, e.g. "stem", "layer1", …; each takes what the one before gives.
  const std::vector<std::string>& stages() const { return stages_; }
  virtual torch::Tensor run_stage(std::size_t stage, torch::Tensor input) = 0;
  // From the last stage's output to batch × features().
  virtual torch::Tensor pool(const torch::Tensor& activations) { return activations.mean({2, 3}); }
  std::int64_t features() const { return features_; }
  const PixelScale& pixel_scale() const { return scale_; }
  // The name of the last linear layer in the library's weights: "fc", "classifier".
  virtual std::string head_name() const = 0;
  // Trainable parameters and buffers by their published names.
  virtual torch::OrderedDict<std::string, torch::Tensor> state();
  // The trainable parameters of one stage.
  virtual std::vector<torch::Tensor> stage_parameters(std::size_t stage) = 0;

  // Pooled features, starting at a stage with that stage's input.
  torch::Tensor run_from(std::size_t stage, torch::Tensor input);
  // The index of a stage; throws Error with the nearest name. "head" is stages().size().
  std::size_t stage_index(const std::string& name) const;

 private:
  std::vector<std::string> stages_;
  std::int64_t features_;
  PixelScale scale_;
};

// The index of the stage that --train-from names among these; "head" comes after the last. Throws UsageError
// with the nearest name.
std::size_t stage_index(const std::vector<std::string>& stages, const std::string& name);

}  // namespace procsim::train
