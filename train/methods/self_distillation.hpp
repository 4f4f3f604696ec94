#pragma once

#include <memory>

#include "train/frame/method_parts.hpp"
#include "train/frame/objective_decorator.hpp"
#include "train/frame/teacher.hpp"

namespace procsim::train {

struct SelfDistillationOptions {
  double alpha = 50;
  double temperature = 1;

  void validate() const;  // throws UsageError naming the option
  template <typename Self, typename Visitor>
  static void fields(Self& self, const Visitor& visit) {
    visit("alpha", self.alpha, "LSD: weight of the distillation in the last epoch (README 50, code 200)");
    visit("temperature", self.temperature, "LSD: what similarities are divided by");
  }
};

// KL( softmax Tᵢ/τ ‖ softmax Sᵢ/τ ) of every row of the similarities of a batch, the diagonal included: B
// values, no gradient to the teacher's.
torch::Tensor listwise_divergence(const torch::Tensor& student, const torch::Tensor& teacher,
                                  double temperature);

// The model as it was at the end of the epoch before.
class LastEpoch : public SharedPart {
 public:
  LastEpoch(std::unique_ptr<Embedder> model, Network& student);

  torch::Tensor embed(const Batch& batch) {
    return student_.gather(teacher_.embed(batch.views.front(), batch.stage));
  }
  void begin_epoch(const TrainingSet&) override { teacher_.follow(student_.model()); }
  void save(const CheckpointPart& part) const override { teacher_.save(part); }
  void restore(const CheckpointPart& part) override { teacher_.restore(part); }

 private:
  mutable Teacher teacher_;  // saving reads its weights
  Network& student_;
};

// Another loss, and the similarities of the batch near those of the model of an epoch ago (Zeng et al. 2022):
// (e/E)·α·τ²·mean KL in epoch e, counted from 0, of E.
class SelfDistillation : public ObjectiveDecorator {
 public:
  SelfDistillation(std::shared_ptr<Objective> inner, MethodParts& parts);

 protected:
  torch::Tensor term(const LossBatch& batch) override;

 private:
  SelfDistillationOptions options_;
  std::shared_ptr<LastEpoch> last_epoch_;
  std::int64_t epochs_;
};

}  // namespace procsim::train
