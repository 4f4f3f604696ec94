#pragma once

#include <cstdint>
#include <vector>

#include "train/frame/sample_trust.hpp"
#include "train/scoring/label_posteriors.hpp"

namespace procsim::train {

struct PosteriorOptions {
  std::int64_t rounds = 1;  // of cross-fitting an epoch
  double memory = 0.5;      // how much of what was believed before stays, at every epoch
  bool relabel = true;      // a sample counts as the class that is believed in most

  void validate() const;  // throws UsageError naming the option
  template <typename Self, typename Visitor>
  static void fields(Self& self, const Visitor& visit) {
    visit("rounds", self.rounds, "Posterior: rounds of cross-fitting an epoch");
    visit("memory", self.memory, "Posterior: how much of earlier epochs' beliefs stays, in [0, 1)");
    visit("relabel", self.relabel, "Posterior: samples count as the class believed in most");
  }
};

// How the judges of an epoch are fitted: on as many threads as the tensor library has, which --threads sets.
CrossFitOptions judges_of_epoch(std::uint64_t seed, std::int64_t epoch);

// By how much the odds of all labels being right must rise for at least half of them to be right; 1 where
// they are. What fits weak features best may be that nearly all labels are wrong, which nobody would train
// on.
double least_odds_factor(const std::vector<LabelPosterior>& beliefs);

// Ours: what a label counts is the probability that it is right (docs/paper-map.md, "ours"). At the start of
// an epoch cross-fitted judges read it off the embeddings of the whole set: no judge has seen the label that
// it judges, the network has, which is why what was believed earlier has a say. A sample whose label is
// probably wrong counts as the class that is believed in most, by that belief. Labels
// as a whole are believed at least as much as not (least_odds_factor), so that a network from scratch begins
// with the half that its features speak for.
class PosteriorTrust : public SampleTrust {
 public:
  PosteriorTrust(const PosteriorOptions& options, std::uint64_t seed) : options_(options), seed_(seed) {}

  std::vector<Quantity> quantities() const override;
  void begin_epoch(const TrainingSet& set) override;
  bool judges_set() const override { return true; }
  Columns set_columns() const override;
  // begin_epoch, or restore, comes first.
  Trust operator()(const Batch& batch, const torch::Tensor& embeddings) override;

  void save(const CheckpointPart& part) const override;
  void restore(const CheckpointPart& part) override;

 private:
  void remember(const std::vector<LabelPosterior>& now);
  void adjust();  // after every change of what is believed
  // What the sample counts as, and how far.
  bool is_relabelled(std::size_t sample) const;
  double belief(std::size_t sample) const;

  PosteriorOptions options_;
  std::uint64_t seed_;
  std::vector<std::int64_t> labels_;  // as given
  std::vector<LabelPosterior> beliefs_;
  std::vector<LabelPosterior> adjusted_;  // by least_odds_factor; follows from them
};

}  // namespace procsim::train
