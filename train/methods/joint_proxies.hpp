#pragma once

#include <memory>

#include "train/losses/proxies.hpp"

namespace procsim::train {

// Another objective, with the mean proxy loss added: the proxies, fixed in this, also pull the embedding.
class JointProxies : public Objective {
 public:
  JointProxies(std::shared_ptr<Objective> inner, std::shared_ptr<Proxies> proxies)
      : inner_(std::move(inner)), proxies_(std::move(proxies)) {}

  torch::Tensor operator()(const LossBatch& batch) override { return (*inner_)(batch); }
  torch::Tensor penalty(const LossBatch& batch) override {
    proxies_->observe(batch);
    const auto pull = proxies_->pull(batch).mean();
    const auto inner = inner_->penalty(batch);
    return inner.defined() ? inner + pull : pull;
  }
  NamedParameters parameters() override { return inner_->parameters(); }
  double learning_rate() const override { return inner_->learning_rate(); }
  void save(const CheckpointPart& part) const override { inner_->save(part); }
  void restore(const CheckpointPart& part) override { inner_->restore(part); }

 private:
  std::shared_ptr<Objective> inner_;
  std::shared_ptr<Proxies> proxies_;
};

}  // namespace procsim::train
