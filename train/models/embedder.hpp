#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "train/models/backbone.hpp"

namespace procsim::train {

// A backbone by name, with random weights drawn from `seed`; or a TorchScript module from a file, which
// runs code that the file brings: only with `trust_code`. Throws UsageError with the nearest name.
std::shared_ptr<Backbone> make_backbone(const std::string& name, std::uint64_t seed, bool trust_code);

// The network of a description, with random weights: the caller sets the generator's seed.
std::shared_ptr<Backbone> make_backbone(const Architecture& architecture);

// A TorchScript module that takes pixels (batch × 3 × height × width) and gives features: batch × features,
// or batch × features × height × width, which is averaged. One stage, "module".
std::shared_ptr<Backbone> load_scripted_backbone(const std::filesystem::path& path,
                                                 std::int64_t image_size = 224);

// Backbone → linear head → unit length.
class Embedder {
 public:
  Embedder(std::shared_ptr<Backbone> backbone, std::int64_t dimension, std::uint64_t seed);

  Backbone& backbone() { return *backbone_; }
  std::int64_t dimension() const { return head_->options.out_features(); }

  // Unit embeddings of inputs to the stage that training starts at (0: pixels).
  torch::Tensor embed(const torch::Tensor& input, std::size_t stage = 0);
  // Pooled features in front of the head, without gradients.
  torch::Tensor features(const torch::Tensor& input, std::size_t stage = 0);

  // Freezes every stage below `stage`. Batch normalisation below it never learns.
  void train_from(std::size_t stage);
  // Whether batch normalisation uses and learns the batch's statistics in train mode.
  void learn_statistics(bool on) { learn_statistics_ = on; }
  void train_mode(bool on);
  bool has_batch_norm();
  // Parameters that learn, by name.
  std::vector<std::pair<std::string, torch::Tensor>> trainable();

  // Everything that a file of weights holds, by the library's names, the head among them.
  std::map<std::string, torch::Tensor> state();
  // Copies tensors in by name. `source` names the file in errors, which list what does not match. With
  // `pretrained`, a head of another shape (or none) is left as it is; returns whether the head was loaded.
  bool load(const std::map<std::string, torch::Tensor>& tensors, const std::string& source, bool pretrained);

  // The head that keeps most of the variance of these features: their leading principal axes, centred.
  void set_pca_head(const torch::Tensor& features);

  void to(torch::Device device);
  torch::Device device() const { return head_->weight.device(); }

 private:
  std::shared_ptr<Backbone> backbone_;
  torch::nn::Linear head_{nullptr};
  std::size_t first_stage_ = 0;
  bool learn_statistics_ = false;
};

}  // namespace procsim::train
