#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "train/models/torch.hpp"

namespace procsim::train {

// The k nearest gallery rows of each query by cosine (rows must be L2-normalised), exact, ties by index.
struct Neighbours {
  torch::Tensor indices;       // queries × k, int64
  torch::Tensor similarities;  // queries × k
};

// 16 MB: they stay in the cache, and the allocator keeps the memory from one block to the next.
inline constexpr std::int64_t kSimilaritiesAtOnce = 1 << 22;

struct NeighbourOptions {
  std::int64_t k = 1;
  // Query i is gallery row i and is left out of its own answer.
  bool exclude_self = true;
  // Bound of the similarity block held at once, in values.
  std::int64_t block_values = kSimilaritiesAtOnce;
};

// Throws Error when the gallery has fewer than k other rows.
Neighbours nearest_neighbours(const torch::Tensor& queries, const torch::Tensor& gallery,
                              const NeighbourOptions& options);

// Calls `visit` with (first query, similarities of some consecutive queries to the whole gallery), the query
// itself set to −∞ where it is left out. At most `block_values` similarities exist at a time.
void for_similarity_blocks(const torch::Tensor& queries, const torch::Tensor& gallery,
                           const NeighbourOptions& options,
                           const std::function<void(std::int64_t first, const torch::Tensor& block)>& visit);

// Another sample, as a query sees it: the nearer comes first, ties go by index.
struct Near {
  float similarity;
  std::int64_t index;

  bool operator<(const Near& other) const {
    return similarity > other.similarity || (similarity == other.similarity && index < other.index);
  }
};

// Similarities that are compared together, so that the compiler uses whole registers.
inline constexpr std::size_t kCompared = 16;

// The `count` nearest of a row of similarities, in order; those of −∞ are left out.
void find_nearest(std::span<const float> row, std::size_t count, std::vector<Near>& found);

// Top k of each row of a block of similarities, ties by index. At least k of each row are above −∞.
Neighbours top_k_by_index(const torch::Tensor& similarities, std::int64_t k);

}  // namespace procsim::train
