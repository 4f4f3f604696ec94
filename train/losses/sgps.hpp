#pragma once

#include <memory>

#include "train/frame/method_parts.hpp"
#include "train/frame/objective_decorator.hpp"
#include "train/losses/cross_batch_memory.hpp"

namespace procsim::train {

struct SgpsOptions {
  double scale = 50;
  double margin = 0.1;
  double temperature = 1;
  double similarity = 0.6;
  std::int64_t supports = 4;
  double momentum = 0.9;

  void validate() const;  // throws UsageError naming the option
  template <typename Self, typename Visitor>
  static void fields(Self& self, const Visitor& visit) {
    visit("scale", self.scale, "SGPS: what cosines are multiplied by");
    visit("margin", self.margin, "SGPS: how much nearer the prototype must be");
    visit("temperature", self.temperature, "SGPS: of the attention over the supports");
    visit("similarity", self.similarity, "SGPS: least cosine to an image of the same subgroup (our reading)");
    visit("supports", self.supports, "SGPS: images of the subgroup that make up a prototype");
    visit("momentum", self.momentum, "SGPS: how much of an image's remembered feature stays at each step");
  }
};

// Σ a_s f_s of n unit rows, a = softmax over s of (Σ_t f_t·f_s − 1)/n over the temperature: D values, not at
// unit length.
torch::Tensor subgroup_prototype(const torch::Tensor& supports, double temperature);

// −ln of e^{κ(cos − m)} against the sum with e^{κ·cos} of the negatives that `mask` (Q × N) marks: Q values.
torch::Tensor prototype_loss(const torch::Tensor& queries, const torch::Tensor& prototypes,
                             const torch::Tensor& negatives, const torch::Tensor& mask,
                             const SgpsOptions& options);

// A feature of every training image: that of the start model, then a running average of its embeddings.
class ImageFeatures : public SharedPart {
 public:
  explicit ImageFeatures(double momentum) : momentum_(momentum) {}

  const torch::Tensor& rows() const { return rows_; }  // N × D, unit rows, on the CPU
  // What a step has seen: goes in once the network has learnt from it.
  void offer(const Batch& batch, const torch::Tensor& embeddings);

  void start(const TrainingSet& set) override;
  void learn() override;
  void save(const CheckpointPart& part) const override { part.put("rows", rows_); }
  void restore(const CheckpointPart& part) override { rows_ = part.tensor("rows").clone(); }

 private:
  double momentum_;
  torch::Tensor rows_, offered_places_, offered_;
};

// SGPS (Yu et al. 2024) in our reading: contrastive loss with a memory on what the selection keeps; every
// other sample towards a prototype of its subgroup, the images whose remembered features are near its own,
// whatever their labels. Negatives are the samples of the batch, and apart from these the memory, that have
// another label and are not in the subgroup. The published code leaves the making of subgroups out.
class SubgroupPrototypes : public ObjectiveDecorator {
 public:
  SubgroupPrototypes(std::unique_ptr<Objective> clean, std::shared_ptr<CrossBatchMemory> memory,
                     std::shared_ptr<ImageFeatures> features, const SgpsOptions& options);

 protected:
  torch::Tensor term(const LossBatch& batch) override;

 private:
  std::shared_ptr<CrossBatchMemory> memory_;
  std::shared_ptr<ImageFeatures> features_;
  SgpsOptions options_;
};

}  // namespace procsim::train
