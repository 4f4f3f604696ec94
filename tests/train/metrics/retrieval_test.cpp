#include "train/metrics/retrieval.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/train/expected_values.hpp"

namespace procsim::train {
namespace {

struct Labelled {
  torch::Tensor embeddings;
  torch::Tensor labels;
};

Labelled labelled(const nlohmann::json& expected) {
  std::vector<float> values;
  for (const auto& row : expected["embeddings"])
    for (const auto& value : row) values.push_back(value);
  const auto labels = expected["labels"].get<std::vector<std::int64_t>>();
  return {torch::tensor(values).view({static_cast<std::int64_t>(labels.size()), -1}), torch::tensor(labels)};
}

TEST(Retrieval, AgreesWithPytorchMetricLearningAndScikitLearn) {
  const auto expected = test::expected_values("metrics.json");
  const auto data = labelled(expected);
  for (const std::int64_t block_values : {1, 117, 1 << 24}) {
    const auto metrics = evaluate_retrieval(data.embeddings, data.labels, {.block_values = block_values});
    EXPECT_EQ(metrics.queries, data.labels.size(0));
    for (const auto& [k, recall] : metrics.recall)
      EXPECT_NEAR(recall, expected["recall"][std::to_string(k)].get<double>(), 1e-12) << "Recall@" << k;
    EXPECT_NEAR(metrics.r_precision, expected["r_precision"].get<double>(), 1e-6);
    EXPECT_NEAR(metrics.map_at_r, expected["map_at_r"].get<double>(), 1e-6);
  }
}

TEST(Retrieval, LeavesOutTheQueryItselfEvenAmongDuplicates) {
  // Four copies of one vector: the query is not necessarily in column 0 of a sort.
  const auto embeddings = torch::tensor({{1.F, 0.F}, {1.F, 0.F}, {1.F, 0.F}, {1.F, 0.F}});
  const auto labels = torch::tensor({0, 1, 0, 1}, torch::kInt64);
  const auto metrics = evaluate_retrieval(embeddings, labels, {.recall_at = {1, 2, 3}});
  // Ties by index: query 0 sees 1,2,3; query 1 sees 0,2,3; query 2 sees 0,1,3; query 3 sees 0,1,2.
  EXPECT_DOUBLE_EQ(metrics.recall.at(1), 0.25);
  EXPECT_DOUBLE_EQ(metrics.recall.at(2), 0.75);
  EXPECT_DOUBLE_EQ(metrics.recall.at(3), 1);
  EXPECT_DOUBLE_EQ(metrics.r_precision, 0.25);
}

// By the definitions: everything sorted.
RetrievalMetrics by_sorting(const torch::Tensor& embeddings, const torch::Tensor& labels,
                            const std::vector<std::int64_t>& recall_at) {
  RetrievalMetrics metrics;
  const auto similarities = embeddings.mm(embeddings.t());
  const auto rows = labels.size(0);
  const auto label = [&](std::int64_t i) { return labels[i].item<std::int64_t>(); };
  for (std::int64_t query = 0; query < rows; ++query) {
    std::vector<std::pair<float, std::int64_t>> order;
    std::int64_t mates = 0;
    for (std::int64_t i = 0; i < rows; ++i) {
      if (i == query) continue;
      order.emplace_back(-similarities[query][i].item<float>(), i);
      if (label(i) == label(query)) ++mates;
    }
    if (mates == 0) continue;
    std::sort(order.begin(), order.end());
    ++metrics.queries;
    std::int64_t hits = 0, first = -1;
    double average = 0;
    for (std::int64_t place = 0; place < rows - 1; ++place) {
      if (label(order[static_cast<std::size_t>(place)].second) != label(query)) continue;
      if (first < 0) first = place;
      if (place >= mates) break;
      average += static_cast<double>(++hits) / static_cast<double>(place + 1);
    }
    for (const auto k : recall_at) metrics.recall[k] += first < k ? 1 : 0;
    metrics.r_precision += static_cast<double>(hits) / static_cast<double>(mates);
    metrics.map_at_r += average / static_cast<double>(mates);
  }
  for (auto& [k, recall] : metrics.recall) recall /= static_cast<double>(metrics.queries);
  metrics.r_precision /= static_cast<double>(metrics.queries);
  metrics.map_at_r /= static_cast<double>(metrics.queries);
  return metrics;
}

TEST(Retrieval, IsWhatSortingEverythingSays) {
  torch::manual_seed(1);
  const std::vector<std::int64_t> recall_at{1, 5, 50, 200};
  for (const std::int64_t classes : {2, 7, 100, 150}) {  // from 120 mates to none or one
    for (const bool with_ties : {false, true}) {
      constexpr std::int64_t kRows = 241;
      // Whole numbers: their products are exact, whoever adds them up in whatever order.
      const std::int64_t largest = with_ties ? 2 : 1000;
      const auto embeddings = torch::randint(-largest, largest, {kRows, 3}).to(torch::kFloat32);
      const auto labels = torch::randint(classes, {kRows}, torch::kInt64);
      const auto expected = by_sorting(embeddings, labels, recall_at);
      for (const std::int64_t block_values : {1 << 12, 1 << 24}) {
        const auto metrics =
            evaluate_retrieval(embeddings, labels, {.recall_at = recall_at, .block_values = block_values});
        EXPECT_EQ(metrics.queries, expected.queries);
        EXPECT_EQ(metrics.recall, expected.recall) << classes << " classes";
        EXPECT_NEAR(metrics.r_precision, expected.r_precision, 1e-12);
        EXPECT_NEAR(metrics.map_at_r, expected.map_at_r, 1e-12) << classes << " classes";
      }
    }
  }
}

TEST(Retrieval, ClassesOfOneSampleAskNoQuestion) {
  const auto embeddings = torch::tensor({{1.F, 0.F}, {0.F, 1.F}, {0.F, 1.F}});
  const auto metrics = evaluate_retrieval(embeddings, torch::tensor({7, 8, 8}, torch::kInt64));
  EXPECT_EQ(metrics.queries, 2);
  EXPECT_DOUBLE_EQ(metrics.recall.at(1), 1);
  EXPECT_EQ(evaluate_retrieval(embeddings, torch::tensor({1, 2, 3}, torch::kInt64)).queries, 0);
}

}  // namespace
}  // namespace procsim::train
