// Our side of bench/retrieval.py: Recall@K and mAP@R of embeddings in a raw file.
//
//   retrieval_benchmark EMBEDDINGS LABELS ROWS DIMENSION     float32 and int64, row by row

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "train/metrics/retrieval.hpp"

int main(int argc, char** argv) {
  constexpr int kWords = 5;
  if (argc != kWords) return 2;
  const auto rows = std::atoll(argv[3]), dimension = std::atoll(argv[4]);
  const auto embeddings =
      torch::from_file(argv[1], false, rows * dimension, torch::kFloat32).view({rows, dimension}).clone();
  const auto labels = torch::from_file(argv[2], false, rows, torch::kInt64).clone();
  procsim::train::RetrievalOptions options;
  options.recall_at = {1, 10, 100, 1000};
  const auto begin = std::chrono::steady_clock::now();
  const auto metrics = procsim::train::evaluate_retrieval(embeddings, labels, options);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::printf("{\"seconds\": %.3f", seconds.count());
  for (const auto& [k, recall] : metrics.recall)
    std::printf(", \"recall@%lld\": %.17g", static_cast<long long>(k), recall);
  std::printf(", \"map@r\": %.17g}\n", metrics.map_at_r);
}
