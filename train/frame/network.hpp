#pragma once

#include <memory>
#include <string>

#include "train/frame/checkpoint_part.hpp"
#include "train/models/embedder.hpp"

namespace procsim::train {

struct OptimizerOptions {
  std::string kind = "adam";  // adam, adamw, sgd
  double lr = 1e-4;
  double momentum = 0.9;  // sgd
  double weight_decay = 0;
};
std::unique_ptr<torch::optim::Optimizer> make_optimizer(const OptimizerOptions& options,
                                                        const std::vector<torch::Tensor>& parameters);

// An embedder that learns. With several processes, embeddings of all are gathered at the end of forward.
class Network {
 public:
  // The model, on its device already, must outlive the network. `precision`: fp32 or bf16, of the forward
  // pass.
  Network(Embedder& model, const OptimizerOptions& options, std::string precision);

  Embedder& model() { return model_; }
  torch::Device device() const { return model_.device(); }

  // Unit embeddings with gradients, in train mode, of inputs to `stage` on any device in any precision.
  torch::Tensor forward(const torch::Tensor& view, std::size_t stage);

  // One step of the optimiser down the objective's gradient. The embedder has its gradients from nowhere else
  // (proxies learn by their own, from what was gathered): with several processes they are reduced here.
  void descend(const torch::Tensor& objective);

  // Weights as "model.…", what the optimiser remembers as "optimizer.…". A restored network goes on bit for
  // bit; Error where the part holds another model's. Weights that are not finite are not saved: Error.
  void save(const CheckpointPart& part);
  void restore(const CheckpointPart& part);

 private:
  Embedder& model_;
  std::string precision_;
  std::vector<std::pair<std::string, torch::Tensor>> parameters_;
  std::unique_ptr<torch::optim::Optimizer> optimizer_;
};

}  // namespace procsim::train
