#include "train/losses/proxy_nca.hpp"

#include <gtest/gtest.h>

#include "tests/train/rival_test.hpp"

namespace procsim::train {
namespace {

class ProxyNcaLoss : public RivalTest {};

TEST_F(ProxyNcaLoss, HasTheIndependentValues) {
  expect_values(proxy_nca(1)(batch), expected["proxy_nca"]["scale_1"]);
  expect_values(proxy_nca(6).proxy_loss(batch), expected["proxy_nca"]["scale_6"]);
}

TEST_F(ProxyNcaLoss, HasTheValuesOfTheRivalsTable) {
  ProxyNca loss({.classes = 3, .dimension = 2, .scale = 3}, 1);
  loss.proxies() = matrix(rivals["proxies"]);
  expect_close(loss(six), rivals["proxy_nca_scale_3"]);
}

TEST_F(ProxyNcaLoss, SendsGradientsToOneSideOnly) {
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

TEST_F(ProxyNcaLoss, ProxyGradientAgreesWithFiniteDifferences) {
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

TEST_F(ProxyNcaLoss, ProxiesDependOnTheSeedOnly) {
  const ProxyNcaOptions options{.classes = 3, .dimension = 5};
  EXPECT_TRUE(torch::equal(ProxyNca(options, 4).proxies(), ProxyNca(options, 4).proxies()));
  EXPECT_FALSE(torch::equal(ProxyNca(options, 4).proxies(), ProxyNca(options, 5).proxies()));
}

TEST_F(ProxyNcaLoss, GradientsAgreeWithFiniteDifferences) {
  auto proxies = proxy_nca(2);
  expect_gradients([&](const LossBatch& input) { return proxies(input); });
}

}  // namespace
}  // namespace procsim::train
