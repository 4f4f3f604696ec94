#include "train/losses/mcl.hpp"

#include <algorithm>

#include "train/frame/component.hpp"
#include "train/losses/cross_batch_memory.hpp"

namespace procsim::train {
namespace {

constexpr double kNegativeMargin = 0.5;

// Σ (1 − s) over the same label and Σ s over others that are nearer than the margin. Nothing divides by the
// number of pairs, and negatives count in full, as published.
torch::Tensor contrastive_rows(const torch::Tensor& similarity, const PairMasks& masks,
                               const torch::Tensor& weights = {}) {
  const auto none = torch::zeros_like(similarity);
  auto terms = torch::where(masks.positive, 1 - similarity, none) +
               torch::where(masks.negative & (similarity > kNegativeMargin), similarity, none);
  if (weights.defined()) terms = terms * weights.unsqueeze(0);
  return terms.sum(1);
}

// Contrastive loss over the batch and over the memory, added. Without a selection the batch is in the memory
// that it is compared with (Wang et al. 2020); with one, what is kept goes in after the step, and the term of
// the batch is divided by the number of samples that are kept (Liu et al. 2021).
class MemoryContrastiveLoss : public Objective {
 public:
  explicit MemoryContrastiveLoss(std::shared_ptr<CrossBatchMemory> memory) : memory_(std::move(memory)) {}

  torch::Tensor operator()(const LossBatch& batch) override {
    const auto& weights = batch.partner_confidence;
    auto value =
        contrastive_rows(torch::mm(batch.embeddings, batch.embeddings.t()), pair_masks(batch), weights);
    if (weights.defined()) value = value * batch.labels.size(0) / (weights > 0.5).sum().clamp_min(1);
    if (memory_->used()) value = value + rows_of_memory(batch);
    if (!memory_->selective()) memory_->offer(batch);
    return value;
  }

 private:
  torch::Tensor rows_of_memory(const LossBatch& batch) const {
    auto remembered = memory_->embeddings().to(batch.embeddings.dtype());
    auto labels = memory_->labels();
    if (!memory_->selective()) {
      remembered = torch::cat({remembered, batch.embeddings.detach()});
      labels = torch::cat({labels, batch.labels});
    }
    const auto first = std::max<std::int64_t>(0, labels.size(0) - memory_->capacity());
    remembered = remembered.slice(0, first);
    labels = labels.slice(0, first);
    if (labels.size(0) == 0) return 0 * batch.embeddings.sum(1);
    const auto same = batch.labels.unsqueeze(1) == labels.unsqueeze(0);
    PairMasks masks{same, ~same};
    if (!memory_->selective()) masks.positive = same & ~itself(batch.labels, labels.size(0));
    return contrastive_rows(torch::mm(batch.embeddings, remembered.t()), masks);
  }

  // The batch stands at the end of the memory: sample i at the i-th place of its last B.
  static torch::Tensor itself(const torch::Tensor& labels, std::int64_t remembered) {
    const auto count = labels.size(0);
    const auto places = torch::arange(count, labels.options()) + remembered - count;
    return places.unsqueeze(1) == torch::arange(remembered, labels.options()).unsqueeze(0);
  }

  std::shared_ptr<CrossBatchMemory> memory_;
};

}  // namespace

std::unique_ptr<Objective> make_memory_contrastive(MethodParts& parts) {
  return std::make_unique<MemoryContrastiveLoss>(CrossBatchMemory::of(parts));
}

ObjectiveComponent mcl_objective() {
  auto component = objective_component<CrossBatchMemoryOptions>(
      "mcl", CrossBatchMemory::kPrefix,
      [](MethodParts& parts, const CrossBatchMemoryOptions&) { return make_memory_contrastive(parts); });
  component.description = "contrastive loss with a memory across batches";
  component.source = "Wang et al. 2020";
  component.state = "a memory of embeddings and labels";
  return component;
}

}  // namespace procsim::train
