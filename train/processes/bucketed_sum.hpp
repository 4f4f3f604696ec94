#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "train/processes/processes.hpp"

namespace procsim::train {

// Gradients in buckets: while the backward pass still computes those of lower layers, the buckets of upper
// ones are on their way. All processes send the same buckets in the same order.
class BucketedSum : public GradientSum {
 public:
  // Begins to add up a tensor over all processes, in place; what it returns waits until that is done.
  using StartSum = std::function<std::function<void()>(torch::Tensor& values)>;

  // Leaves that require gradients, first layers first. Hooks stay on them as long as this lives.
  BucketedSum(std::vector<torch::Tensor> parameters, StartSum start, std::int64_t bucket_bytes = 25 << 20);
  ~BucketedSum() override;

  void begin() override;
  void finish() override;

 private:
  struct State;  // what the hooks see too
  std::shared_ptr<State> state_;
};

}  // namespace procsim::train
