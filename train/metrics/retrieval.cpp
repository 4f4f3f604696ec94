#include "train/metrics/retrieval.hpp"

#include <limits>
#include <tuple>

#include "train/metrics/neighbours.hpp"

namespace procsim::train {
namespace {

// The place (from 0) of the nearest sample of the same class: all that Recall@K needs, without sorting.
torch::Tensor rank_of_first_match(const torch::Tensor& similarities, const torch::Tensor& same_class) {
  const auto matches = similarities.masked_fill(~same_class, -std::numeric_limits<float>::infinity());
  const auto best = std::get<0>(matches.max(1, true));
  const auto columns = torch::arange(similarities.size(1), torch::TensorOptions(torch::kInt64));
  const auto is_best = same_class & (similarities == best);
  const auto first = torch::where(is_best, columns.unsqueeze(0), similarities.size(1)).amin(1, true);
  const auto ahead = (similarities > best) | ((similarities == best) & (columns.unsqueeze(0) < first));
  return ahead.sum(1);
}

struct Sums {
  double r_precision = 0;
  double map_at_r = 0;
};

// Over the queries of a block, with R their number of class mates.
Sums precision_sums(const torch::Tensor& similarities, const torch::Tensor& own_labels,
                    const torch::Tensor& labels, const torch::Tensor& mates) {
  const auto longest = mates.max().item<std::int64_t>();
  const auto nearest = top_k_by_index(similarities, longest).indices;
  const auto place = torch::arange(1, longest + 1, torch::kFloat64).unsqueeze(0);
  const auto r = mates.to(torch::kFloat64).unsqueeze(1);
  const auto hit =
      ((labels.index_select(0, nearest.flatten()).view_as(nearest) == own_labels.unsqueeze(1)) & (place <= r))
          .to(torch::kFloat64);
  const auto precision = hit.cumsum(1) / place;
  return {(hit.sum(1) / r.squeeze(1)).sum().item<double>(),
          ((precision * hit).sum(1) / r.squeeze(1)).sum().item<double>()};
}

}  // namespace

RetrievalMetrics evaluate_retrieval(const torch::Tensor& embeddings, const torch::Tensor& labels,
                                    const RetrievalOptions& options) {
  RetrievalMetrics metrics;
  for (const auto k : options.recall_at) metrics.recall[k] = 0;
  const auto [classes, inverse, counts] = torch::_unique2(labels, true, true, true);
  const auto mates = counts.index_select(0, inverse) - 1;  // R of each sample
  const auto queries = (mates > 0).nonzero().flatten();
  metrics.queries = queries.size(0);
  if (metrics.queries == 0) return metrics;

  NeighbourOptions blocks;
  blocks.block_values = options.block_values;
  Sums sums;
  for_similarity_blocks(embeddings, embeddings, blocks, [&](std::int64_t first, const torch::Tensor& block) {
    const auto here = ((queries >= first) & (queries < first + block.size(0))).nonzero().flatten();
    if (here.size(0) == 0) return;
    const auto rows = queries.index_select(0, here);
    const auto similarities = block.index_select(0, rows - first);
    const auto own = labels.index_select(0, rows);
    auto same = own.unsqueeze(1) == labels.unsqueeze(0);
    same.scatter_(1, rows.unsqueeze(1), false);
    const auto rank = rank_of_first_match(similarities, same);
    for (auto& [k, recall] : metrics.recall)
      recall += static_cast<double>((rank < k).sum().item<std::int64_t>());
    const auto block_sums = precision_sums(similarities, own, labels, mates.index_select(0, rows));
    sums.r_precision += block_sums.r_precision;
    sums.map_at_r += block_sums.map_at_r;
  });
  const auto count = static_cast<double>(metrics.queries);
  for (auto& [k, recall] : metrics.recall) recall /= count;
  metrics.r_precision = sums.r_precision / count;
  metrics.map_at_r = sums.map_at_r / count;
  return metrics;
}

}  // namespace procsim::train
