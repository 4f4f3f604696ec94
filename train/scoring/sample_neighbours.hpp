#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "train/models/torch.hpp"

namespace procsim::train {

// Lists of sample indices, one list a sample.
using SampleLists = std::vector<std::vector<std::int64_t>>;

// Samples' rows at unit length, seen from their mean: what all of them share is no likeness. Made where they
// are asked for: a second table would be the largest thing in memory.
class RowsAroundMean {
 public:
  explicit RowsAroundMean(const torch::Tensor& rows) : rows_(rows), mean_(rows.mean(0)) {}
  torch::Tensor of(const std::vector<std::int64_t>& samples) const;

 private:
  torch::Tensor rows_, mean_;
};

// For every sample the nearest other samples that carry class `wanted[i]` (−1: none asked for), nearest
// first, ties by index. Exact, class by class: never more than a block of one class's similarities at a time.
// `classes` are 0 … class_count−1.
SampleLists nearest_of_class(const RowsAroundMean& rows, std::span<const std::int64_t> classes,
                             std::int64_t class_count, std::span<const std::int64_t> wanted,
                             std::int64_t count);

// For every sample the other samples of its group(s) whose cosine is at least `similarity`, of any class,
// nearest first, at most `count`. `groups` holds `groups_each` numbers a sample; two samples are
// compared when they share one. Near-duplicates look alike to any model, so the classes that a model thinks
// most probable make groups that hardly ever part them, at a cost that grows with the groups' sizes instead
// of samples².
SampleLists near_duplicates(const RowsAroundMean& rows, std::span<const std::int32_t> groups,
                            std::int64_t groups_each, float similarity, std::int64_t count);

// The share of each sample's k nearest other samples, weighted by max(cosine, 0), that carry another class:
// the k-nearest-neighbour ranking that scores are compared with. Exact; time grows with samples².
std::vector<double> neighbour_disagreement(const torch::Tensor& unit_rows,
                                           std::span<const std::int64_t> classes, std::int64_t k);

}  // namespace procsim::train
