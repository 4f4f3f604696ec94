#include <gtest/gtest.h>

#include "tests/train/rival_test.hpp"

namespace procsim::train {
namespace {

class ProxyAnchor : public RivalTest {};

TEST_F(ProxyAnchor, HasTheIndependentValues) {
  const auto anchor = loss("proxy-anchor");
  set(*anchor, matrix(rivals["proxies"]));
  expect_close((*anchor)(six), rivals["proxy_anchor"]);
}

// Shares are fixed in the gradient and add up to the loss: its mean has the loss's own gradient.
TEST_F(ProxyAnchor, GradientsAgreeWithFiniteDifferences) {
  const auto anchor = loss_of_twelve("proxy-anchor");
  expect_gradients_of(*anchor);
  batch.partner_confidence = vector(expected["partner_confidence"]);
  expect_gradients_of(*anchor);
}

TEST_F(ProxyAnchor, ItsProxiesLearnAtTheirOwnRate) {
  const auto anchor = loss("proxy-anchor");
  EXPECT_EQ(anchor->learning_rate(), 1e-2);
  (*anchor)(six).mean().backward();
  EXPECT_GT(anchor->parameters().front().second.grad().abs().max().item<double>(), 1e-3);
}

TEST_F(ProxyAnchor, AClassWithoutASampleOnlyPushes) {
  const auto anchor = loss("proxy-anchor", {}, 4);
  EXPECT_GT(finite_loss(*anchor, six), 0);
  EXPECT_GT(finite_loss(*anchor, with_labels({0, 0, 0, 0, 0, 0})), 0);
}

}  // namespace
}  // namespace procsim::train
