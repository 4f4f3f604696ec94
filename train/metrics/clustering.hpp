#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "train/models/torch.hpp"

namespace procsim::train {

struct KMeansOptions {
  std::int64_t clusters = 2;
  int iterations = 20;
  std::uint64_t seed = 1;
};

// Lloyd's algorithm from distinct random rows; a cluster that runs empty restarts at the row that lies worst.
// Returns a cluster per row. In blocks: rows × clusters similarities never exist at once.
std::vector<std::int64_t> k_means(const torch::Tensor& rows, const KMeansOptions& options);

// Normalised mutual information of two labellings, normalised by the mean of their entropies. 1 for two
// labellings of one group each.
double normalized_mutual_information(std::span<const std::int64_t> a, std::span<const std::int64_t> b);

}  // namespace procsim::train
