#pragma once

#include <optional>
#include <span>

#include "train/frame/objective.hpp"
#include "train/frame/sample_trust.hpp"
#include "train/thresholds/confidence.hpp"

namespace procsim::train {

// Trusts every label in full, for so many epochs at the start (warm-up, while a model from scratch knows
// nothing) or always, and still reports what the inner trust says.
class FullTrust : public TrustDecorator {
 public:
  FullTrust(std::unique_ptr<SampleTrust> inner, std::optional<std::int64_t> epochs);
  Trust operator()(const Batch& batch, const torch::Tensor& embeddings) override;

 private:
  std::optional<std::int64_t> epochs_;
};

// Knows the truth, an upper bound: right labels count in full and wrong ones not at all.
class OracleTrust : public TrustDecorator {
 public:
  // `wrong`: per training sample, kept by the caller.
  OracleTrust(std::unique_ptr<SampleTrust> inner, std::span<const std::uint8_t> wrong);
  Trust operator()(const Batch& batch, const torch::Tensor& embeddings) override;

 private:
  std::span<const std::uint8_t> wrong_;
};

// SuperLoss on samples: each weighted by its own loss against a running average (docs/paper-map.md, Eq. 2).
// For losses that have no pairs to weight.
class SuperLossTrust : public TrustDecorator {
 public:
  SuperLossTrust(std::unique_ptr<SampleTrust> inner, std::shared_ptr<Objective> objective, double lambda);
  Trust operator()(const Batch& batch, const torch::Tensor& embeddings) override;

  void save(const CheckpointPart& part) const override;
  void restore(const CheckpointPart& part) override;

 private:
  std::shared_ptr<Objective> objective_;
  double lambda_;
  RunningAverage average_;
};

// The trust in a sample goes wherever the sample goes: as the partner of others it is trusted no more than as
// an anchor.
class PairScope : public TrustDecorator {
 public:
  using TrustDecorator::TrustDecorator;
  Trust operator()(const Batch& batch, const torch::Tensor& embeddings) override;
};

}  // namespace procsim::train
