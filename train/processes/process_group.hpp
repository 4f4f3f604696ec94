#pragma once

#include <chrono>
#include <memory>

#include "train/processes/launch.hpp"
#include "train/processes/processes.hpp"

namespace procsim::train {

// Several processes over LibTorch's c10d: Gloo between CPUs, NCCL between GPUs where LibTorch brings it (else
// what lies on a GPU goes over the CPU).
class ProcessGroup : public Processes {
 public:
  // Meets the others. `timeout`: how long to wait for another process, here and later. Throws
  // Error where they do not come.
  ProcessGroup(const Launch& launch, std::chrono::seconds timeout);
  ~ProcessGroup() override;

  std::int64_t rank() const override;
  std::int64_t size() const override;
  std::int64_t rank_on_host() const override;
  std::int64_t size_on_host() const override;

  torch::Tensor gather_rows(const torch::Tensor& own) override;
  std::unique_ptr<GradientSum> gradient_sum(std::vector<torch::Tensor> parameters) override;
  void take_from_first(const std::vector<torch::Tensor>& tensors) override;
  std::string text_from_first(const std::string& own) override;
  bool any(bool own) override;
  void keep(const std::string& word) override;
  std::string kept() override;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// The processes of a launch; one_process() where it is one and nobody starts it again.
std::shared_ptr<Processes> join_processes(const Launch& launch, std::chrono::seconds timeout);

}  // namespace procsim::train
