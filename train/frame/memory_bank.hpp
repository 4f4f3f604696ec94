#pragma once

#include <cstdint>
#include <span>

#include "train/frame/checkpoint_part.hpp"

namespace procsim::train {

// Embeddings of past batches with their samples and labels: a ring that keeps the newest `capacity` of them,
// whatever the size of the batches. Nothing in it carries gradients.
class MemoryBank {
 public:
  // On the device of the embeddings that will be put in. Both at least 1.
  MemoryBank(std::int64_t capacity, std::int64_t dimension, torch::Device device = torch::kCPU);

  // Puts a batch in, the oldest entries making room. Of a batch larger than the ring its end is kept.
  void push(std::span<const std::int64_t> samples, const torch::Tensor& labels,
            const torch::Tensor& embeddings);

  // What is in it, oldest first.
  std::int64_t size() const { return size_; }
  torch::Tensor samples() const;     // int64
  torch::Tensor labels() const;      // int64
  torch::Tensor embeddings() const;  // size × dimension

  void save(const CheckpointPart& part) const;
  void restore(const CheckpointPart& part);

 private:
  torch::Tensor in_order(const torch::Tensor& ring) const;

  std::int64_t capacity_;
  std::int64_t size_ = 0;
  std::int64_t next_ = 0;  // where the next entry goes
  torch::Tensor samples_, labels_, embeddings_;
};

}  // namespace procsim::train
