#include "train/metrics/evaluation.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"

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

TEST(Evaluation, ADivergedOrCollapsedModelIsAnErrorInsteadOfPerfect) {
  const std::vector<std::int64_t> labels{3, 3, 8, 8};
  const TrainConfig config;
  auto embeddings = torch::eye(4);
  embeddings.fill_(std::numeric_limits<float>::quiet_NaN());
  test::expect_error([&] { evaluate_embeddings(embeddings, labels, config); }, {"4 of 4", "diverged"});
  test::expect_error([&] { evaluate_embeddings(torch::ones({4, 2}), labels, config); }, {"collapsed"});
}

}  // namespace
}  // namespace procsim::train
