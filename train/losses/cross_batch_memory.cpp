#include "train/losses/cross_batch_memory.hpp"

#include "train/frame/component.hpp"
#include "train/frame/option_check.hpp"

namespace procsim::train {

void CrossBatchMemoryOptions::validate() const {
  require_option(size >= 1, "--memory-size", static_cast<double>(size), "1 or more");
  require_option(start >= 0, "--memory-start", static_cast<double>(start), "0 or more");
}

CrossBatchMemory::CrossBatchMemory(const CrossBatchMemoryOptions& options, std::int64_t dimension,
                                   torch::Device device)
    : options_(options), bank_(options.size, dimension, device) {
  options_.validate();
}

std::shared_ptr<CrossBatchMemory> CrossBatchMemory::of(MethodParts& parts) {
  return parts.share<CrossBatchMemory>("memory", [&] {
    const auto options = read_options<CrossBatchMemoryOptions>(parts.config, kPrefix);
    options.validate();
    return std::make_shared<CrossBatchMemory>(options, parts.network.model().dimension(),
                                              parts.network.device());
  });
}

void CrossBatchMemory::offer(const LossBatch& batch, const torch::Tensor& kept) {
  const torch::NoGradGuard no_gradients;
  const auto all = torch::ones({batch.labels.size(0)}, torch::kBool);
  const auto rows = (kept.defined() ? kept.to(torch::kCPU) : all).nonzero().squeeze(1);
  const auto on_device = rows.to(batch.embeddings.device());
  offered_labels_ = batch.labels.index_select(0, on_device);
  offered_embeddings_ = batch.embeddings.detach().index_select(0, on_device);
  offered_samples_.clear();
  for (std::int64_t i = 0; i < rows.numel(); ++i) {
    const auto row = static_cast<std::size_t>(rows[i].item<std::int64_t>());
    offered_samples_.push_back(batch.step != nullptr ? batch.step->samples.at(row) : -1);
  }
}

void CrossBatchMemory::learn() {
  ++steps_;
  if (!offered_samples_.empty()) bank_.push(offered_samples_, offered_labels_, offered_embeddings_);
  offered_samples_.clear();
}

void CrossBatchMemory::save(const CheckpointPart& part) const {
  bank_.save(part);
  part.put_value("steps", steps_);
}

void CrossBatchMemory::restore(const CheckpointPart& part) {
  bank_.restore(part);
  part.value("steps").get_to(steps_);
}

}  // namespace procsim::train
