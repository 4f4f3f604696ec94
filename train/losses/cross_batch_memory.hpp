#pragma once

#include "train/frame/memory_bank.hpp"
#include "train/frame/method_parts.hpp"

namespace procsim::train {

struct CrossBatchMemoryOptions {
  std::int64_t size = 8192;
  std::int64_t start = 0;

  void validate() const;  // throws UsageError naming the option
  template <typename Self, typename Visitor>
  static void fields(Self& self, const Visitor& visit) {
    visit("size", self.size, "Memory: embeddings of past batches that are kept");
    visit("start", self.start, "Memory: steps before it is used");
  }
};

// The memory of a method, shared by the loss that compares with it and the selection that decides what goes
// in. What a step offers goes in once the network has learnt from it.
class CrossBatchMemory : public SharedPart {
 public:
  CrossBatchMemory(const CrossBatchMemoryOptions& options, std::int64_t dimension, torch::Device device);

  static constexpr const char* kPrefix = "memory";  // of its options
  // That of a method, from its configuration.
  static std::shared_ptr<CrossBatchMemory> of(MethodParts& parts);

  // Whether only what a selection keeps goes in. Else every batch does as a whole.
  void select() { selective_ = true; }
  bool selective() const { return selective_; }

  bool used() const { return steps_ >= options_.start; }  // after so many steps
  std::int64_t size() const { return bank_.size(); }
  std::int64_t capacity() const { return options_.size; }
  torch::Tensor samples() const { return bank_.samples(); }
  torch::Tensor labels() const { return bank_.labels(); }
  torch::Tensor embeddings() const { return bank_.embeddings(); }

  // What goes in after the step: the rows that `kept` marks, in place of what was offered before.
  void offer(const LossBatch& batch, const torch::Tensor& kept = {});

  void learn() override;
  void save(const CheckpointPart& part) const override;
  void restore(const CheckpointPart& part) override;

 private:
  CrossBatchMemoryOptions options_;
  MemoryBank bank_;
  bool selective_ = false;
  std::int64_t steps_ = 0;
  std::vector<std::int64_t> offered_samples_;
  torch::Tensor offered_labels_, offered_embeddings_;
};

}  // namespace procsim::train
