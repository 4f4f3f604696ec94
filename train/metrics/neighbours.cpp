#include "train/metrics/neighbours.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "data/base/error.hpp"

namespace procsim::train {

void for_similarity_blocks(const torch::Tensor& queries, const torch::Tensor& gallery,
                           const NeighbourOptions& options,
                           const std::function<void(std::int64_t, const torch::Tensor&)>& visit) {
  const torch::NoGradGuard no_gradients;
  const std::int64_t rows = queries.size(0);
  const std::int64_t columns = std::max<std::int64_t>(gallery.size(0), 1);
  const std::int64_t block_rows = std::max<std::int64_t>(1, options.block_values / columns);
  const auto transposed = gallery.t();
  for (std::int64_t first = 0; first < rows; first += block_rows) {
    const std::int64_t count = std::min(block_rows, rows - first);
    auto block = torch::mm(queries.slice(0, first, first + count), transposed);
    if (options.exclude_self) {
      const auto own = torch::arange(count, torch::TensorOptions(torch::kInt64).device(block.device()));
      block.index_put_({own, own + first},
                       torch::full({}, -std::numeric_limits<float>::infinity(), block.options()));
    }
    visit(first, block);
  }
}

Neighbours top_k_by_index(const torch::Tensor& similarities, std::int64_t k) {
  const std::int64_t columns = similarities.size(1);
  // One more than asked shows whether the last place is contested by an equal value.
  const std::int64_t wanted = std::min(k + 1, columns);
  auto [values, indices] = similarities.topk(wanted, 1);
  // Among equal values torch's order is arbitrary: sort by index first, then stably by value.
  const auto by_index = std::get<1>(indices.sort(/*stable=*/true, 1, /*descending=*/false));
  values = values.gather(1, by_index);
  indices = indices.gather(1, by_index);
  const auto order = std::get<1>(values.sort(/*stable=*/true, 1, /*descending=*/true));
  values = values.gather(1, order);
  indices = indices.gather(1, order);
  if (wanted > k) {
    const auto contested = (values.select(1, k - 1) == values.select(1, k)).nonzero().flatten();
    for (std::int64_t i = 0; i < contested.size(0); ++i) {
      const auto row = contested[i].item<std::int64_t>();
      const auto [sorted, all] = similarities[row].sort(/*stable=*/true, 0, /*descending=*/true);
      values[row] = sorted.slice(0, 0, wanted);
      indices[row] = all.slice(0, 0, wanted);
    }
  }
  return {indices.slice(1, 0, k), values.slice(1, 0, k)};
}

Neighbours nearest_neighbours(const torch::Tensor& queries, const torch::Tensor& gallery,
                              const NeighbourOptions& options) {
  const std::int64_t others = gallery.size(0) - (options.exclude_self ? 1 : 0);
  if (options.k < 1 || options.k > others)
    throw Error("cannot find " + std::to_string(options.k) + " neighbours among " + std::to_string(others) +
                " samples");
  std::vector<torch::Tensor> indices;
  std::vector<torch::Tensor> similarities;
  for_similarity_blocks(queries, gallery, options, [&](std::int64_t, const torch::Tensor& block) {
    const auto found = top_k_by_index(block, options.k);
    indices.push_back(found.indices);
    similarities.push_back(found.similarities);
  });
  if (indices.empty())
    return {torch::empty({0, options.k}, torch::kInt64), torch::empty({0, options.k}, queries.options())};
  return {torch::cat(indices), torch::cat(similarities)};
}

}  // namespace procsim::train
