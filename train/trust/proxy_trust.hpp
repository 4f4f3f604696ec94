#pragma once

#include <memory>

#include "train/frame/sample_trust.hpp"
#include "train/losses/proxies.hpp"
#include "train/thresholds/confidence.hpp"

namespace procsim::train {

// ProcSim's confidence as published: the proxy loss of each sample against a threshold over its batch
// (docs/paper-map.md, Eq. 1, Alg. 1, Eq. 3). With `judge`, another loss is put against the threshold.
class ProxyTrust : public SampleTrust {
 public:
  ProxyTrust(std::shared_ptr<Proxies> proxies, const ConfidenceRule& rule,
             std::unique_ptr<Objective> judge = nullptr);

  std::vector<Quantity> quantities() const override;
  Trust operator()(const Batch& batch, const torch::Tensor& embeddings) override;

  void save(const CheckpointPart& part) const override;
  void restore(const CheckpointPart& part) override;

 private:
  std::shared_ptr<Proxies> proxies_;
  ConfidenceRule rule_;
  std::unique_ptr<Objective> judge_;
};

}  // namespace procsim::train
