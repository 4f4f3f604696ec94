#pragma once

#include <deque>
#include <memory>

#include "train/frame/sample_trust.hpp"
#include "train/losses/cross_batch_memory.hpp"

namespace procsim::train {

struct PrismOptions {
  std::int64_t window = 30;

  void validate() const;  // throws UsageError naming the option
  template <typename Self, typename Visitor>
  static void fields(Self& self, const Visitor& visit) {
    visit("window", self.window, "PRISM: batches that the threshold is averaged over");
  }
};

// PRISM (Liu et al. 2021): a label is kept where its class's remembered embeddings are likely enough to be
// near, against a threshold that drops the share `rate` of the labels. Only what is kept goes into the
// memory. Departures from the published code, our readings: class means are always those of the memory; a
// class that was never seen is always kept; where ⌊rate·B⌋ is 0, all are.
class PrismTrust : public SampleTrust {
 public:
  PrismTrust(const PrismOptions& options, std::shared_ptr<CrossBatchMemory> memory, std::int64_t classes,
             double rate);

  std::vector<Quantity> quantities() const override;
  Trust operator()(const Batch& batch, const torch::Tensor& embeddings) override;

  void save(const CheckpointPart& part) const override;
  void restore(const CheckpointPart& part) override;

  // Thresholds of the last batches, oldest first.
  std::deque<double>& window() { return window_; }

 private:
  // How likely each label is by the memory; 1 for classes that it does not hold.
  std::vector<double> probabilities(const torch::Tensor& embeddings, const torch::Tensor& labels) const;
  std::vector<std::uint8_t> kept(const std::vector<double>& probability, Trust& trust);

  PrismOptions options_;
  std::shared_ptr<CrossBatchMemory> memory_;
  std::int64_t classes_;
  double rate_;
  std::deque<double> window_;
};

// ⌊rate·count⌋, as a person would compute it: 0.29 of 100 are 29.
std::int64_t dropped_of(double rate, std::int64_t count);

}  // namespace procsim::train
