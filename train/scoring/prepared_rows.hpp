#pragma once

#include <cstdint>
#include <span>

#include "train/models/torch.hpp"

namespace procsim::train {

// What rows are turned into before models are fitted, without looking at labels: square roots where no number
// is negative (pooled activations, whose tails mislead covariances), centred, scaled to unit length, centred,
// and, where they are longer than `dimensions`, turned to their first `dimensions` principal components.
//
// The work is done in the smaller of samples and dimensions: few samples of 100,000 numbers cost a matrix of
// samples². Where they have fewer components than asked for, the rest are zeros. Where both are above 4,096,
// components come from a subspace iteration, so that memory and time grow with samples × dimensions only.
torch::Tensor prepare_rows(const torch::Tensor& rows, std::int64_t dimensions);

// The same rows, to the bit, had by the sample. Where they are not turned no second table is kept beside
// `rows`, whose numbers must stay as they are meanwhile.
class PreparedRows {
 public:
  PreparedRows(const torch::Tensor& rows, std::int64_t dimensions);

  std::int64_t size() const { return table_.size(0); }
  std::int64_t dimension() const { return table_.size(1); }
  torch::Tensor of(std::span<const std::int64_t> samples) const;

 private:
  torch::Tensor table_;  // float
  bool ready_ = false;   // the table's rows are prepared
  bool roots_ = false;
  torch::Tensor first_mean_, second_mean_;
};

}  // namespace procsim::train
