#pragma once

#include <memory>

#include "train/frame/objective_decorator.hpp"
#include "train/losses/proxies.hpp"

namespace procsim::train {

// Another objective, with the mean proxy loss added: the proxies, fixed in this, also pull the embedding.
class JointProxies : public ObjectiveDecorator {
 public:
  JointProxies(std::shared_ptr<Objective> inner, std::shared_ptr<Proxies> proxies)
      : ObjectiveDecorator(std::move(inner)), proxies_(std::move(proxies)) {}

 protected:
  torch::Tensor term(const LossBatch& batch) override {
    proxies_->observe(batch);
    return proxies_->pull(batch).mean();
  }

 private:
  std::shared_ptr<Proxies> proxies_;
};

}  // namespace procsim::train
