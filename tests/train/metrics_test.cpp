#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "data/base/keyed_random.hpp"
#include "tests/train/expected_values.hpp"
#include "train/metrics/clustering.hpp"
#include "train/metrics/neighbours.hpp"
#include "train/metrics/retrieval.hpp"

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

TEST(Neighbours, ContestedPlacesGoByIndex) {
  const auto similarities = torch::tensor({{0.5F, 0.9F, 0.5F, 0.5F, 0.1F, 0.5F}});
  const auto nearest = top_k_by_index(similarities, 3).indices;
  EXPECT_TRUE(torch::equal(nearest, torch::tensor({{1, 0, 2}}, torch::kInt64))) << nearest;
}

TEST(Neighbours, SayWhenThereAreTooFew) {
  const auto rows = torch::eye(3);
  EXPECT_THROW(nearest_neighbours(rows, rows, {.k = 3}), Error);
  EXPECT_EQ(nearest_neighbours(rows, rows, {.k = 2}).indices.size(1), 2);
}

TEST(Clustering, MutualInformationAgreesWithScikitLearn) {
  const auto expected = test::expected_values("metrics.json")["nmi"];
  const auto a = expected["a"].get<std::vector<std::int64_t>>();
  const auto b = expected["b"].get<std::vector<std::int64_t>>();
  EXPECT_NEAR(normalized_mutual_information(a, b), expected["value"].get<double>(), 1e-12);
  EXPECT_NEAR(normalized_mutual_information(a, a), 1, 1e-12);
}

TEST(Clustering, KMeansFindsSeparatedGroupsWhateverTheirOrder) {
  const std::int64_t groups = 5;
  std::vector<std::int64_t> truth;
  auto rows = torch::empty({200, 3});
  auto draws = KeyedRandom(1, "test/k-means").for_id(0);
  for (std::int64_t i = 0; i < 200; ++i) {
    const auto group = static_cast<std::int64_t>(draws.below(groups));
    truth.push_back(group);
    for (std::int64_t d = 0; d < 3; ++d) rows[i][d] = 10.0 * ((group >> d) & 1) + 0.1 * draws.normal();
  }
  double best = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    best = std::max(best,
                    normalized_mutual_information(k_means(rows, {.clusters = groups, .seed = seed}), truth));
  EXPECT_NEAR(best, 1, 1e-9);
  EXPECT_EQ(k_means(rows, {.clusters = groups, .seed = 2}), k_means(rows, {.clusters = groups, .seed = 2}));
}

TEST(Clustering, KMeansWithMoreClustersThanRowsUsesTheRows) {
  EXPECT_EQ(k_means(torch::eye(3), {.clusters = 10}).size(), 3U);
}

}  // namespace
}  // namespace procsim::train
