#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "train/frame/batch.hpp"
#include "train/frame/checkpoint_part.hpp"
#include "train/reports/quantity.hpp"
#include "train/reports/step_outcome.hpp"

namespace procsim::train {

// How far the labels of a batch are trusted.
struct Trust {
  std::vector<double> weight;        // a value a sample, 1 in full; not finite: the batch could not be judged
  std::vector<double> partner;       // as the partner of other samples, in [0, 1]; empty: in full
  std::vector<std::int64_t> labels;  // the class that each sample counts as; empty: as it is labelled
  std::vector<std::pair<std::string, double>> scalars;
  Columns columns;  // the weight itself is not among them
};

// What the label of a sample is worth, judged for a batch or, once an epoch, over the whole set.
class SampleTrust {
 public:
  virtual ~SampleTrust() = default;

  // What it reports; one of them means the trust itself, under the name that the weight gets in metrics.
  virtual std::vector<Quantity> quantities() const = 0;

  virtual void begin_epoch(const TrainingSet&) {}

  // `embeddings` (B × D, unit rows) belong to the batch; nothing flows back through what is returned.
  virtual Trust operator()(const Batch& batch, const torch::Tensor& embeddings) = 0;

  // Whether it judges the whole set at the start of an epoch. What it says of every training sample, the
  // weight too, is then in set_columns and reported once, instead of batch by batch.
  virtual bool judges_set() const { return false; }
  virtual Columns set_columns() const { return {}; }

  virtual void save(const CheckpointPart&) const {}
  virtual void restore(const CheckpointPart&) {}
};

// A trust that changes what another one says.
class TrustDecorator : public SampleTrust {
 public:
  explicit TrustDecorator(std::unique_ptr<SampleTrust> inner) : inner_(std::move(inner)) {}

  std::vector<Quantity> quantities() const override { return inner_->quantities(); }
  void begin_epoch(const TrainingSet& set) override { inner_->begin_epoch(set); }
  bool judges_set() const override { return inner_->judges_set(); }
  Columns set_columns() const override { return inner_->set_columns(); }
  void save(const CheckpointPart& part) const override { inner_->save(part); }
  void restore(const CheckpointPart& part) override { inner_->restore(part); }

 protected:
  SampleTrust& inner() { return *inner_; }

 private:
  std::unique_ptr<SampleTrust> inner_;
};

}  // namespace procsim::train
