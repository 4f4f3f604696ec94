#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "train/metrics/neighbours.hpp"

namespace procsim::train {

struct RetrievalOptions {
  std::vector<std::int64_t> recall_at{1, 2, 4, 8};
  std::int64_t block_values = kSimilaritiesAtOnce;  // bound of the similarities held at once
};

// How well every sample finds its class among all others. Means over the samples whose class has another
// sample.
struct RetrievalMetrics {
  std::map<std::int64_t, double> recall;  // K → Recall@K
  double r_precision = 0;
  double map_at_r = 0;
  std::int64_t queries = 0;  // samples that count; the rest are alone in their class
};

// `embeddings` N × D, finite, L2-normalised; `labels` N, int64. The query is left out by its index; ties go
// by index. Exact.
RetrievalMetrics evaluate_retrieval(const torch::Tensor& embeddings, const torch::Tensor& labels,
                                    const RetrievalOptions& options = {});

}  // namespace procsim::train
