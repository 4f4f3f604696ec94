#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "tests/train/expected_values.hpp"
#include "train/losses/contrastive.hpp"
#include "train/losses/multi_similarity.hpp"
#include "train/losses/proxy_nca.hpp"
#include "train/losses/super_loss.hpp"

namespace procsim::train {
namespace {

torch::Tensor matrix(const nlohmann::json& rows) {
  std::vector<double> values;
  for (const auto& row : rows)
    for (const auto& value : row) values.push_back(value);
  return torch::tensor(values, torch::kFloat64).view({static_cast<std::int64_t>(rows.size()), -1});
}

torch::Tensor vector(const nlohmann::json& values) {
  return torch::tensor(values.get<std::vector<double>>(), torch::kFloat64);
}

class Losses : public ::testing::Test {
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

TEST_F(Losses, MultiSimilarityWithMiningHasTheIndependentValues) {
  expect_values(MultiSimilarityLoss()(batch), expected["multi_similarity"]["mined"]);
}

TEST_F(Losses, MultiSimilarityWithoutMiningHasTheIndependentValues) {
  expect_values(MultiSimilarityLoss({.mining = false})(batch), expected["multi_similarity"]["all_pairs"]);
}

TEST_F(Losses, MultiSimilarityDropsAndWeightsPartners) {
  batch.partner_confidence = vector(expected["partner_confidence"]);
  expect_values(MultiSimilarityLoss()(batch), expected["multi_similarity"]["mined_pair_scope"]);
}

TEST_F(Losses, MultiSimilarityIgnoresFullTrustInPartners) {
  const auto plain = MultiSimilarityLoss()(batch);
  batch.partner_confidence = torch::ones({12}, torch::kFloat64);
  EXPECT_TRUE(torch::allclose(MultiSimilarityLoss()(batch), plain, 0, 1e-14));
}

TEST_F(Losses, MultiSimilarityIsZeroForASampleAloneInItsClass) {
  batch.labels = torch::tensor({0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}, torch::kInt64);
  EXPECT_EQ(MultiSimilarityLoss()(batch)[0].item<double>(), 0);
}

TEST_F(Losses, MultiSimilarityIsZeroInABatchOfOneClass) {
  batch.labels = torch::zeros({12}, torch::kInt64);
  EXPECT_EQ(MultiSimilarityLoss()(batch).abs().max().item<double>(), 0);
}

TEST_F(Losses, MultiSimilarityStaysFiniteForSteepOptions) {
  batch.embeddings = batch.embeddings.to(torch::kFloat32);
  const auto values = MultiSimilarityLoss({.alpha = 500, .beta = 2000, .mining = false})(batch);
  EXPECT_TRUE(torch::isfinite(values).all().item<bool>()) << values;
}

TEST_F(Losses, ProxyNcaHasTheIndependentValues) {
  expect_values(proxy_nca(1)(batch), expected["proxy_nca"]["scale_1"]);
  expect_values(proxy_nca(6).proxy_loss(batch), expected["proxy_nca"]["scale_6"]);
}

TEST_F(Losses, ProxyNcaSendsGradientsToOneSideOnly) {
  auto loss = proxy_nca(1);
  batch.embeddings.requires_grad_(true);
  loss(batch).sum().backward();
  EXPECT_TRUE(batch.embeddings.grad().defined());
  EXPECT_FALSE(loss.proxies().grad().defined());
  batch.embeddings.mutable_grad() = torch::Tensor();
  loss.proxy_loss(batch).sum().backward();
  EXPECT_FALSE(batch.embeddings.grad().defined());
  EXPECT_TRUE(loss.proxies().grad().defined());
}

TEST_F(Losses, ContrastiveHasTheIndependentValues) {
  expect_values(ContrastiveLoss()(batch), expected["contrastive"]);
}

TEST_F(Losses, SuperLossHasTheIndependentValuesOverTwoBatches) {
  SuperLoss loss({.lambda = expected["super_loss"]["lambda"], .rate = expected["super_loss"]["rate"]});
  expect_values(loss(batch), expected["super_loss"]["batches"][0]);
  batch.embeddings = matrix(expected["embeddings_second"]);
  expect_values(loss(batch), expected["super_loss"]["batches"][1]);
}

TEST_F(Losses, SuperLossContinuesFromItsSavedState) {
  const SuperLossOptions options{.lambda = 0.25};
  SuperLoss whole(options);
  whole(batch);
  SuperLoss restored(options);
  restored.restore(nlohmann::json::parse(whole.state().dump()));
  batch.embeddings = matrix(expected["embeddings_second"]);
  EXPECT_TRUE(torch::equal(whole(batch), restored(batch)));
}

TEST_F(Losses, GradientsAgreeWithFiniteDifferences) {
  expect_gradients([](const LossBatch& input) { return MultiSimilarityLoss()(input); });
  expect_gradients([](const LossBatch& input) { return MultiSimilarityLoss({.mining = false})(input); });
  expect_gradients([](const LossBatch& input) { return ContrastiveLoss()(input); });
  auto proxies = proxy_nca(2);
  expect_gradients([&](const LossBatch& input) { return proxies(input); });
}

TEST_F(Losses, GradientsOfPairScopeAgreeWithFiniteDifferences) {
  batch.partner_confidence = vector(expected["partner_confidence"]);
  expect_gradients([](const LossBatch& input) { return MultiSimilarityLoss()(input); });
  expect_gradients([](const LossBatch& input) { return ContrastiveLoss()(input); });
}

TEST_F(Losses, ProxyGradientAgreesWithFiniteDifferences) {
  auto loss = proxy_nca(2);
  loss.proxy_loss(batch).mean().backward();
  const auto gradient = loss.proxies().grad();
  const auto start = loss.proxies().detach().clone();
  for (std::int64_t c = 0; c < 4; ++c) {
    for (std::int64_t d = 0; d < 6; ++d) {
      const auto moved = [&](double by) {
        auto other = start.clone();
        other[c][d] += by;
        loss.proxies() = other;
        return loss.proxy_loss(batch).mean().item<double>();
      };
      EXPECT_NEAR(gradient[c][d].item<double>(), (moved(1e-6) - moved(-1e-6)) / 2e-6, 1e-8);
    }
  }
}

TEST_F(Losses, ProxiesDependOnTheSeedOnly) {
  const ProxyNcaOptions options{.classes = 3, .dimension = 5};
  EXPECT_TRUE(torch::equal(ProxyNca(options, 4).proxies(), ProxyNca(options, 4).proxies()));
  EXPECT_FALSE(torch::equal(ProxyNca(options, 4).proxies(), ProxyNca(options, 5).proxies()));
}

}  // namespace
}  // namespace procsim::train
