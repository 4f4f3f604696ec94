#pragma once

#include <cstdint>

#include "train/models/torch.hpp"

namespace procsim::train {

// Products of many rows with one matrix: torch::mm(rows, matrix.t()), up to rounding. The library's own
// product is MKL's, which leaves half of a processor idle that is not of its maker (105 against 240 billion
// operations a second on a core of an EPYC); oneDNN's, which the library has too, does not. It is taken for
// large matrices in single precision on the CPU, where it is there.
class RowProducts {
 public:
  // `rows_at_once`: how many rows most calls bring; the matrix is laid out for them, in a copy.
  RowProducts(torch::Tensor matrix, std::int64_t rows_at_once);

  torch::Tensor operator()(const torch::Tensor& rows) const;
  bool packed() const { return packed_.defined(); }  // whether oneDNN does it

 private:
  torch::Tensor matrix_;
  torch::Tensor packed_;
};

}  // namespace procsim::train
