#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/train/expected_values.hpp"
#include "train/frame/objective.hpp"
#include "train/losses/proxy_nca.hpp"

namespace procsim::train {

inline torch::Tensor matrix(const nlohmann::json& rows) {
  std::vector<double> values;
  for (const auto& row : rows)
    for (const auto& value : row) values.push_back(value);
  return torch::tensor(values, torch::kFloat64).view({static_cast<std::int64_t>(rows.size()), -1});
}

inline torch::Tensor vector(const nlohmann::json& values) {
  return torch::tensor(values.get<std::vector<double>>(), torch::kFloat64);
}

// A batch with the losses that tests/train/expected/make_losses.py computed for it.
class LossTest : public ::testing::Test {
 protected:
  nlohmann::json expected = test::expected_values("losses.json");
  LossBatch batch{matrix(expected["embeddings"]),
                  torch::tensor(expected["labels"].get<std::vector<std::int64_t>>(), torch::kInt64),
                  {}};

  void expect_values(const torch::Tensor& actual, const nlohmann::json& values) {
    const auto wanted = vector(values);
    ASSERT_EQ(actual.sizes(), wanted.sizes());
    EXPECT_LT((actual - wanted).abs().max().item<double>(), 1e-12) << actual << wanted;
  }

  // The gradient of the summed values to the embeddings against central differences.
  void expect_gradients(const std::function<torch::Tensor(const LossBatch&)>& loss) {
    auto input = batch;
    input.embeddings = batch.embeddings.clone().requires_grad_(true);
    loss(input).sum().backward();
    const auto gradient = input.embeddings.grad();
    ASSERT_GT(gradient.abs().max().item<double>(), 1e-3);
    const double step = 1e-6;
    for (std::int64_t i = 0; i < batch.embeddings.size(0); ++i) {
      for (std::int64_t d = 0; d < batch.embeddings.size(1); ++d) {
        const auto moved = [&](double by) {
          auto other = batch;
          other.embeddings = batch.embeddings.clone();
          other.embeddings[i][d] += by;
          return loss(other).sum().item<double>();
        };
        const double difference = (moved(step) - moved(-step)) / (2 * step);
        EXPECT_NEAR(gradient[i][d].item<double>(), difference, 1e-6 * (1 + std::abs(difference)))
            << i << ' ' << d;
      }
    }
  }

  ProxyNca proxy_nca(double scale) {
    ProxyNca loss({.classes = 4, .dimension = 6, .scale = scale}, 1);
    loss.proxies() = matrix(expected["proxies"]).requires_grad_(true);
    return loss;
  }
};

}  // namespace procsim::train
