#pragma once

#include <memory>
#include <utility>

#include "train/frame/objective.hpp"

namespace procsim::train {

// An objective with a term added: everything else is the inner one's.
class ObjectiveDecorator : public Objective {
 public:
  explicit ObjectiveDecorator(std::shared_ptr<Objective> inner) : inner_(std::move(inner)) {}

  torch::Tensor operator()(const LossBatch& batch) override { return (*inner_)(batch); }
  torch::Tensor penalty(const LossBatch& batch) override {
    auto own = inner_->penalty(batch);
    auto more = term(batch);
    if (!own.defined()) return more;
    return more.defined() ? own + more : own;
  }
  std::int64_t views() const override { return inner_->views(); }
  NamedParameters parameters() override { return inner_->parameters(); }
  double learning_rate() const override { return inner_->learning_rate(); }
  void save(const CheckpointPart& part) const override { inner_->save(part); }
  void restore(const CheckpointPart& part) override { inner_->restore(part); }

 protected:
  // What is added to the inner penalty. Undefined: nothing.
  virtual torch::Tensor term(const LossBatch& batch) = 0;

 private:
  std::shared_ptr<Objective> inner_;
};

}  // namespace procsim::train
