#pragma once

#include <string>

#include "train/frame/checkpoint_part.hpp"
#include "train/models/optimizer_state.hpp"

namespace procsim::train {

// Parameters beside the network's (proxies, centres) that learn at a rate of their own, by Adam.
class OwnParameters {
 public:
  // The tensors are leaves that require gradients. None: nothing ever happens.
  OwnParameters(NamedParameters parameters, double lr);

  void zero_grad();
  void step();  // with the gradients that have been made since

  // The tensors by name, and what the optimiser remembers of them.
  void save(const CheckpointPart& part) const;
  void restore(const CheckpointPart& part);

 private:
  NamedParameters parameters_;
  std::unique_ptr<torch::optim::Optimizer> optimizer_;
};

}  // namespace procsim::train
