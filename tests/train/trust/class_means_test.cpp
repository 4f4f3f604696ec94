#include "train/trust/class_means.hpp"

#include <gtest/gtest.h>

#include "tests/train/expected_values.hpp"

namespace procsim::train {
namespace {

torch::Tensor matrix(const nlohmann::json& rows) {
  std::vector<float> values;
  for (const auto& row : rows)
    for (const auto& value : row) values.push_back(value);
  return torch::tensor(values).reshape({static_cast<std::int64_t>(rows.size()), -1});
}

TEST(ClassMeans, LeaveOneOutLossesHaveTheIndependentValues) {
  for (const auto values = test::expected_values("confidence.json");
       const auto& expected : values["class_means"]) {
    const auto labels = expected["labels"].get<std::vector<std::int64_t>>();
    const auto weights = expected["weights"].get<std::vector<double>>();
    const auto losses =
        leave_one_out_losses(matrix(expected["embeddings"]), labels, weights, 4, expected["scale"]);
    ASSERT_EQ(losses.size(), labels.size());
    for (std::size_t i = 0; i < losses.size(); ++i)
      EXPECT_NEAR(losses[i], expected["losses"][i].get<double>(), 1e-5) << "sample " << i;
  }
}

// Three tight clusters; every fourth label is wrong.
struct Clusters {
  torch::Tensor embeddings;
  std::vector<std::int64_t> labels;
  std::vector<bool> wrong;

  Clusters() {
    torch::manual_seed(5);
    const auto centres = torch::eye(3, 8);
    std::vector<torch::Tensor> rows;
    for (std::int64_t i = 0; i < 60; ++i) {
      const auto row = centres[i % 3] + 0.1 * torch::randn({8});
      rows.push_back(row / row.norm());
      wrong.push_back(i % 4 == 0);
      labels.push_back(wrong.back() ? (i + 1) % 3 : i % 3);
    }
    embeddings = torch::stack(rows);
  }
};

TEST(ClassMeans, WrongLabelsLoseTheirConfidenceAndRightOnesKeepIt) {
  const Clusters clusters;
  ConfidenceRule rule(ThresholdKind::kOtsu, 0.01);
  const auto result = class_means_confidence(clusters.embeddings, clusters.labels, 3, 6, rule);
  for (std::size_t i = 0; i < clusters.labels.size(); ++i) {
    EXPECT_EQ(result.confidence.above[i] != 0, clusters.wrong[i]) << i;
    if (clusters.wrong[i])
      EXPECT_LT(result.confidence.sigma[i], 0.1);
    else
      EXPECT_EQ(result.confidence.sigma[i], 1);
  }
}

TEST(ClassMeans, ASampleCannotVouchForItsOwnLabel) {
  // Two samples of class 1 look like class 0; each alone is class 1's only evidence for the other, and a
  // sample of class 2 that looks like class 0 has none at all but itself left out.
  const auto embeddings = torch::tensor({{1.F, 0.F}, {1.F, 0.F}, {1.F, 0.F}, {0.F, 1.F}});
  const std::vector<std::int64_t> labels{0, 0, 1, 1};
  const std::vector<double> weights(4, 1.0);
  const auto losses = leave_one_out_losses(embeddings, labels, weights, 2, 6);
  EXPECT_LT(losses[0], 0.05);
  EXPECT_GT(losses[2], 5);  // with itself in the mean its loss would be about 1.3
}

}  // namespace
}  // namespace procsim::train
