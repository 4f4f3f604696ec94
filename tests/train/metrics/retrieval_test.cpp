#include "train/metrics/retrieval.hpp"

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

TEST(Retrieval, ClassesOfOneSampleAskNoQuestion) {
  const auto embeddings = torch::tensor({{1.F, 0.F}, {0.F, 1.F}, {0.F, 1.F}});
  const auto metrics = evaluate_retrieval(embeddings, torch::tensor({7, 8, 8}, torch::kInt64));
  EXPECT_EQ(metrics.queries, 2);
  EXPECT_DOUBLE_EQ(metrics.recall.at(1), 1);
  EXPECT_EQ(evaluate_retrieval(embeddings, torch::tensor({1, 2, 3}, torch::kInt64)).queries, 0);
}

}  // namespace
}  // namespace procsim::train
