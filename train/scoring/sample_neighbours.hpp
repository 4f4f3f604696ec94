#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "train/models/torch.hpp"

namespace procsim::train {

// Lists of sample indices, one list a sample.
using SampleLists = std::vector<std::vector<std::int64_t>>;

// For every sample the nearest other samples that carry class `wanted[i]` (−1: none asked for), nearest
// first, ties by index. Exact, class by class: never more than a block of one class's similarities at a time.
// `unit_rows` are L2-normalised; `classes` are 0 … class_count−1.
SampleLists nearest_of_class(const torch::Tensor& unit_rows, std::span<const std::int64_t> classes,
                             std::int64_t class_count, std::span<const std::int64_t> wanted,
                             std::int64_t count);

// For every sample the other samples of its group(s) whose cosine is at least `similarity`, of any class,
// nearest first, at most `count`. `groups` holds `groups_each` numbers a sample; two samples are
// compared when they share one. Near-duplicates look alike to any model, so the classes that a model thinks
// most probable make groups that hardly ever part them, at a cost that grows with the groups' sizes instead
// of samples².
SampleLists near_duplicates(const torch::Tensor& unit_rows, std::span<const std::int32_t> groups,
                            std::int64_t groups_each, float similarity, std::int64_t count);

// The share of each sample's k nearest other samples, weighted by max(cosine, 0), that carry another class:
// the k-nearest-neighbour ranking that scores are compared with. Exact; time grows with samples².
std::vector<double> neighbour_disagreement(const torch::Tensor& unit_rows,
                                           std::span<const std::int64_t> classes, std::int64_t k);

}  // namespace procsim::train
