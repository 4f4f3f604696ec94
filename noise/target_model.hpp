#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "data/base/keyed_random.hpp"
#include "data/labels/label_set.hpp"

namespace procsim::noise {

// Where a label goes once it is to change. Immutable: threads share it.
class TargetModel {
 public:
  virtual ~TargetModel() = default;

  // The new class of a sample of class `label`, never `label` itself; kUnlabelled when the model knows none
  // for it. Takes its randomness from `draws` only.
  virtual std::int32_t draw(std::int64_t id, std::int32_t label, Draws draws) const = 0;

  // False when the model has no target for any sample of the class, so that it is reported.
  virtual bool has_target(std::int32_t label) const = 0;
};

// All other classes of the split, equally likely. `classes` ascending.
std::unique_ptr<TargetModel> make_uniform_model(std::span<const std::int32_t> classes);

// The next class of the split in label order, the last one to the first. `classes` ascending.
std::unique_ptr<TargetModel> make_next_class_model(std::span<const std::int32_t> classes);

// The class that the map gives.
std::unique_ptr<TargetModel> make_pair_model(std::map<std::int32_t, std::int32_t> map);

// Transition probabilities by class: row c holds (class, probability), c itself included. Rows that are not
// there leave the class as it is.
struct ClassMatrix {
  std::map<std::int32_t, std::vector<std::pair<std::int32_t, double>>> rows;

  double leaving_rate(std::int32_t label) const;  // 1 − the probability to stay
};
std::unique_ptr<TargetModel> make_matrix_model(const ClassMatrix& matrix);

// What a trained model confuses each sample with (from a scores file).
class RivalTable {
 public:
  void add(std::int64_t id, std::span<const std::pair<std::int32_t, double>> rivals);
  std::span<const std::pair<std::int32_t, double>> of(
      std::int64_t id) const;  // best first; empty when unknown
  std::size_t samples() const { return ranges_.size(); }

 private:
  std::vector<std::pair<std::int32_t, double>> rivals_;
  std::unordered_map<std::int64_t, std::pair<std::size_t, std::size_t>> ranges_;
};
// One of the sample's best `count` rivals (0: all of them) that are among `classes`, in proportion to the
// probabilities that the model gives them.
std::unique_ptr<TargetModel> make_knn_model(std::shared_ptr<const RivalTable> table,
                                            std::span<const std::int32_t> classes, std::int32_t count);

// A label that was taken away: the sample is left unlabelled. What draw() may return besides classes.
inline constexpr std::int32_t kRemovedLabel = -2;

// Labels that somebody has given before, by sample; kRemovedLabel takes a sample's label away.
using GivenLabels = std::unordered_map<std::int64_t, std::int32_t>;
std::unique_ptr<TargetModel> make_replay_model(std::shared_ptr<const GivenLabels> labels);

}  // namespace procsim::noise
