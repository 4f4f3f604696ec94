#include "train/frame/memory_bank.hpp"

#include <algorithm>

#include "data/base/error.hpp"

namespace procsim::train {

MemoryBank::MemoryBank(std::int64_t capacity, std::int64_t dimension, torch::Device device)
    : capacity_(capacity),
      samples_(torch::zeros({capacity}, torch::TensorOptions(torch::kInt64).device(device))),
      labels_(torch::zeros({capacity}, torch::TensorOptions(torch::kInt64).device(device))),
      embeddings_(torch::zeros({capacity, dimension}, torch::TensorOptions(torch::kFloat32).device(device))) {
  if (capacity < 1 || dimension < 1) throw Error("a memory needs room for at least one embedding");
}

void MemoryBank::push(std::span<const std::int64_t> samples, const torch::Tensor& labels,
                      const torch::Tensor& embeddings) {
  const torch::NoGradGuard no_gradients;
  const auto count = static_cast<std::int64_t>(samples.size());
  const auto kept = std::min(count, capacity_);
  const auto device = embeddings_.device();
  const auto places =
      (torch::arange(kept, torch::TensorOptions(torch::kInt64).device(device)) + next_).remainder(capacity_);
  const auto newest = [&](const torch::Tensor& rows) {
    return rows.slice(0, count - kept, count).to(device);
  };
  const auto ids = torch::tensor(std::vector<std::int64_t>(samples.begin(), samples.end()), torch::kInt64);
  samples_.index_copy_(0, places, newest(ids));
  labels_.index_copy_(0, places, newest(labels));
  embeddings_.index_copy_(0, places, newest(embeddings.detach()).to(torch::kFloat32));
  next_ = (next_ + kept) % capacity_;
  size_ = std::min(capacity_, size_ + kept);
}

torch::Tensor MemoryBank::in_order(const torch::Tensor& ring) const {
  if (size_ < capacity_) return ring.slice(0, 0, size_);
  return torch::cat({ring.slice(0, next_), ring.slice(0, 0, next_)});
}

torch::Tensor MemoryBank::samples() const { return in_order(samples_); }
torch::Tensor MemoryBank::labels() const { return in_order(labels_); }
torch::Tensor MemoryBank::embeddings() const { return in_order(embeddings_); }

void MemoryBank::save(const CheckpointPart& part) const {
  part.put("samples", samples_);
  part.put("labels", labels_);
  part.put("embeddings", embeddings_);
  part.put_value("place", {size_, next_});
}

void MemoryBank::restore(const CheckpointPart& part) {
  part.copy_to("samples", samples_);
  part.copy_to("labels", labels_);
  part.copy_to("embeddings", embeddings_);
  const auto place = part.value("place");
  place.at(0).get_to(size_);
  place.at(1).get_to(next_);
}

}  // namespace procsim::train
