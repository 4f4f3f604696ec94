#pragma once

#include <memory>
#include <string>

#include "train/frame/checkpoint_part.hpp"
#include "train/models/embedder.hpp"
#include "train/processes/processes.hpp"

namespace procsim::train {

struct OptimizerOptions {
  std::string kind = "adam";  // adam, adamw, sgd
  double lr = 1e-4;
  double momentum = 0.9;  // sgd
  double weight_decay = 0;
};
std::unique_ptr<torch::optim::Optimizer> make_optimizer(const OptimizerOptions& options,
                                                        const std::vector<torch::Tensor>& parameters);

// An embedder that learns, here and in the other processes of a run.
class Network {
 public:
  // The model, on its device already, must outlive the network. `precision`: fp32 or bf16, of the forward
  // pass. Its weights become those of the first process.
  Network(Embedder& model, const OptimizerOptions& options, std::string precision,
          std::shared_ptr<Processes> processes = one_process());

  Embedder& model() { return model_; }
  torch::Device device() const { return model_.device(); }

  // Unit embeddings with gradients, in train mode, of inputs to `stage` on any device in any precision: of
  // the whole batch, of which `view` is this process's slice.
  torch::Tensor forward(const torch::Tensor& view, std::size_t stage);
  // The same of rows that another model made of this process's slice.
  torch::Tensor gather(const torch::Tensor& rows) { return processes_->gather_rows(rows); }
  const std::shared_ptr<Processes>& processes() const { return processes_; }

  // One step of the optimiser down the objective's gradient. The embedder has its gradients from nowhere
  // else: each process has those of its slice, and they are added up here. What else the objective depends on
  // (proxies, centres) saw all rows in every process: its gradients are whole and the same already.
  void descend(const torch::Tensor& objective);

  // Weights as "model.…", what the optimiser remembers as "optimizer.…". A restored network goes on bit for
  // bit; Error where the part holds another model's. Weights that are not finite are not saved: Error.
  void save(const CheckpointPart& part);
  void restore(const CheckpointPart& part);

 private:
  Embedder& model_;
  std::string precision_;
  std::shared_ptr<Processes> processes_;
  std::vector<std::pair<std::string, torch::Tensor>> parameters_;
  std::unique_ptr<torch::optim::Optimizer> optimizer_;
  std::unique_ptr<GradientSum> gradient_sum_;
};

}  // namespace procsim::train
