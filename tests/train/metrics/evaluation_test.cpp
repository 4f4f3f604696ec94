#include "train/metrics/evaluation.hpp"

#include <gtest/gtest.h>

namespace procsim::train {
namespace {

// Two classes, each of two equal vectors: everything is found, and the clusters are the classes.
TEST(Evaluation, NamesTheMetricsAskedFor) {
  const auto embeddings = torch::tensor({{1.0F, 0.0F}, {1.0F, 0.0F}, {0.0F, 1.0F}, {0.0F, 1.0F}});
  const std::vector<std::int64_t> labels{3, 3, 8, 8};
  TrainConfig config;
  config.recall_at = {1, 2};
  using Metrics = std::vector<std::pair<std::string, double>>;
  EXPECT_EQ(evaluate_embeddings(embeddings, labels, config),
            (Metrics{{"recall@1", 1}, {"recall@2", 1}, {"r_precision", 1}, {"map@r", 1}, {"nmi", 1}}));
  config.recall_at = {1};
  config.nmi = false;
  const std::vector<std::int64_t> crossed{3, 8, 3, 8};  // the nearest is always of the other class
  EXPECT_EQ(evaluate_embeddings(embeddings, crossed, config),
            (Metrics{{"recall@1", 0}, {"r_precision", 0}, {"map@r", 0}}));
}

}  // namespace
}  // namespace procsim::train
