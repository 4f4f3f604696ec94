#include "train/metrics/evaluation.hpp"

#include <set>

#include "train/metrics/clustering.hpp"
#include "train/metrics/retrieval.hpp"
#include "train/models/embedding_check.hpp"

namespace procsim::train {

std::vector<std::pair<std::string, double>> evaluate_embeddings(const torch::Tensor& embeddings,
                                                                std::span<const std::int64_t> labels,
                                                                const TrainConfig& config) {
  check_embedding_values(embeddings, "evaluation");
  const std::vector<std::int64_t> list(labels.begin(), labels.end());
  RetrievalOptions options;
  options.recall_at = config.recall_at;
  const auto retrieval = evaluate_retrieval(embeddings, torch::tensor(list, torch::kInt64), options);
  std::vector<std::pair<std::string, double>> metrics;
  for (const auto& [k, recall] : retrieval.recall)
    metrics.emplace_back("recall@" + std::to_string(k), recall);
  metrics.emplace_back("r_precision", retrieval.r_precision);
  metrics.emplace_back("map@r", retrieval.map_at_r);
  if (config.nmi) {
    const auto classes = static_cast<std::int64_t>(std::set<std::int64_t>(list.begin(), list.end()).size());
    const auto clusters = k_means(embeddings, {.clusters = classes, .seed = config.seed});
    metrics.emplace_back("nmi", normalized_mutual_information(clusters, list));
  }
  return metrics;
}

}  // namespace procsim::train
