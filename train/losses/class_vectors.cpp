#include "train/losses/class_vectors.hpp"

#include "data/base/keyed_random.hpp"

namespace procsim::train {

torch::Tensor drawn_rows(std::int64_t rows, std::int64_t dimension, const VectorStart& start,
                         std::uint64_t seed, std::string_view purpose) {
  auto drawn = torch::empty({rows, dimension});
  const KeyedRandom random(seed, purpose);
  for (std::int64_t r = 0; r < rows; ++r) {
    auto draws = random.for_id(r);
    float* row = drawn.data_ptr<float>() + r * dimension;
    for (std::int64_t d = 0; d < dimension; ++d)
      row[d] = static_cast<float>(start.scale * (start.uniform ? 2 * draws.uniform() - 1 : draws.normal()));
  }
  return drawn.requires_grad_(true);
}

torch::Tensor on_device(const torch::Tensor& rows, torch::Device device) {
  return rows.detach().to(device).requires_grad_(true);
}

torch::Tensor cross_entropy_of(const torch::Tensor& logits, const torch::Tensor& labels) {
  namespace F = torch::nn::functional;
  return F::cross_entropy(logits, labels, F::CrossEntropyFuncOptions().reduction(torch::kNone));
}

}  // namespace procsim::train
