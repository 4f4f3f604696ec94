#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "train/models/torch.hpp"

namespace procsim::train {

// How a network wants its pixels: (x − mean) / deviation, on 0…255.
struct PixelScale {
  std::array<float, 3> mean{127.5F, 127.5F, 127.5F};
  std::array<float, 3> deviation{127.5F, 127.5F, 127.5F};
};

// The part of a network from pixels to pooled features, cut into named stages so that training can start at
// any of them. Parameter and buffer names are those of the Python library that the weights come from.
class Backbone : public torch::nn::Module {
 public:
  // In the order of execution, e.g. "stem", "layer1", …; each takes what the one before gives.
  virtual const std::vector<std::string>& stages() const = 0;
  virtual torch::Tensor run_stage(std::size_t stage, torch::Tensor input) = 0;
  // From the last stage's output to batch × features().
  virtual torch::Tensor pool(const torch::Tensor& activations) { return activations.mean({2, 3}); }
  virtual std::int64_t features() const = 0;
  virtual PixelScale pixel_scale() const = 0;
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
};

// ImageNet's channel statistics, as torchvision's weights expect them.
PixelScale imagenet_pixel_scale();

}  // namespace procsim::train
