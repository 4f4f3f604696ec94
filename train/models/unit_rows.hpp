#pragma once

#include <cstdint>

#include "train/models/torch.hpp"

namespace procsim::train {

// Every row at unit length; one of zeros stays.
inline torch::Tensor unit_rows(const torch::Tensor& rows) {
  namespace F = torch::nn::functional;
  return F::normalize(rows, F::NormalizeFuncOptions().dim(1));
}

// classes × width: the direction of the mean of each class's rows. `of_row`: int64, a class for every row.
inline torch::Tensor unit_class_means(const torch::Tensor& rows, const torch::Tensor& of_row,
                                      std::int64_t classes) {
  auto sums = torch::zeros({classes, rows.size(1)}, rows.options());
  sums.index_add_(0, of_row, rows);
  return unit_rows(sums);
}

}  // namespace procsim::train
