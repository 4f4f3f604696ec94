#include "train/metrics/neighbours.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include <ATen/Parallel.h>

#include "data/base/error.hpp"
#include "train/models/row_products.hpp"

namespace procsim::train {

void for_similarity_blocks(const torch::Tensor& queries, const torch::Tensor& gallery,
                           const NeighbourOptions& options,
                           const std::function<void(std::int64_t, const torch::Tensor&)>& visit) {
  const torch::NoGradGuard no_gradients;
  const std::int64_t rows = queries.size(0);
  const std::int64_t columns = std::max<std::int64_t>(gallery.size(0), 1);
  const std::int64_t block_rows = std::max<std::int64_t>(1, options.block_values / columns);
  const RowProducts products(gallery, block_rows);
  for (std::int64_t first = 0; first < rows; first += block_rows) {
    const std::int64_t count = std::min(block_rows, rows - first);
    auto block = products(queries.slice(0, first, first + count));
    if (options.exclude_self) {
      const auto own = torch::arange(count, torch::TensorOptions(torch::kInt64).device(block.device()));
      block.index_put_({own, own + first},
                       torch::full({}, -std::numeric_limits<float>::infinity(), block.options()));
    }
    visit(first, block);
  }
}

// Nearly all of a row is farther than the nearest so far: that is seen for a stretch at once, and nothing is
// sorted but what is left.
void find_nearest(std::span<const float> row, std::size_t count, std::vector<Near>& found) {
  constexpr std::size_t kLeastRoom = 64;
  const auto room = std::max(2 * count, count + kLeastRoom);
  auto least = -std::numeric_limits<float>::infinity();  // which the query itself has
  found.clear();
  if (count == 0) return;
  const auto look_at = [&](std::size_t index) {
    if (row[index] > least) found.push_back({row[index], static_cast<std::int64_t>(index)});
  };
  const auto shrink = [&] {
    std::nth_element(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count) - 1, found.end());
    found.resize(count);
    least = found.back().similarity;  // equal ones that come later have a higher index
  };
  std::size_t begin = 0;
  for (; begin + kCompared <= row.size(); begin += kCompared) {
    int nearer = 0;
    for (std::size_t i = 0; i < kCompared; ++i) nearer += row[begin + i] > least ? 1 : 0;
    if (nearer == 0) continue;
    for (std::size_t i = 0; i < kCompared; ++i) look_at(begin + i);
    if (found.size() >= room) shrink();
  }
  for (; begin < row.size(); ++begin) look_at(begin);
  if (found.size() > count) shrink();
  std::sort(found.begin(), found.end());
}

Neighbours top_k_by_index(const torch::Tensor& similarities, std::int64_t k) {
  const auto rows = similarities.cpu().contiguous();
  const auto columns = rows.size(1);
  Neighbours nearest{torch::empty({rows.size(0), k}, torch::kInt64), torch::empty({rows.size(0), k})};
  auto* indices = nearest.indices.data_ptr<std::int64_t>();
  auto* values = nearest.similarities.data_ptr<float>();
  at::parallel_for(0, rows.size(0), 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Near> found;
    for (auto i = begin; i < end; ++i) {
      find_nearest({rows.data_ptr<float>() + i * columns, static_cast<std::size_t>(columns)},
                   static_cast<std::size_t>(k), found);
      for (std::int64_t j = 0; j < k; ++j) {
        indices[i * k + j] = found[static_cast<std::size_t>(j)].index;
        values[i * k + j] = found[static_cast<std::size_t>(j)].similarity;
      }
    }
  });
  return nearest;
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
