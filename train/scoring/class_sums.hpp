#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "train/models/torch.hpp"
#include "train/scoring/prepared_rows.hpp"

namespace procsim::train {

// What a discriminant is made from: sums over some samples. Sums over disjoint samples add up, so the sums of
// "all folds but these" are had without touching a sample again.
struct ClassSums {
  torch::Tensor scatter;  // Σ x xᵀ, dimension × dimension
  torch::Tensor sums;     // Σ r x by class, classes × dimension; r = how much of a sample belongs to a class
  torch::Tensor weights;  // Σ r by class
  double samples = 0;

  ClassSums& operator+=(const ClassSums& other);
};

// How much of a sample belongs to a class.
struct ClassWeight {
  std::int64_t of;
  double weight;
};

// Appends the classes that a sample is shared out to.
using ShareOut = std::function<void(std::int64_t sample, std::vector<ClassWeight>& shares)>;

// Sums over samples, in their order. `scatter` is theirs already.
ClassSums sum_shares(const PreparedRows& rows, std::span<const std::int64_t> samples,
                     std::int64_t class_count, const torch::Tensor& scatter, const ShareOut& share_out);

// Sums over samples, each of which belongs to the class of its label. `classes`: of all samples.
ClassSums sum_labels(const PreparedRows& rows, std::span<const std::int64_t> samples,
                     std::span<const std::int64_t> classes, std::int64_t class_count);

}  // namespace procsim::train
