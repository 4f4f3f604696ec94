#include <gtest/gtest.h>

#include "tests/train/rival_test.hpp"

namespace procsim::train {
namespace {

class FastAp : public RivalTest {};

TEST_F(FastAp, HasTheIndependentValues) { expect_close((*loss("fastap"))(six), rivals["fastap"]); }

TEST_F(FastAp, GradientsAgreeWithFiniteDifferences) {
  const auto fastap = loss_of_twelve("fastap");
  expect_gradients_of(*fastap);
  batch.partner_confidence = vector(expected["partner_confidence"]);
  expect_gradients_of(*fastap);
}

TEST_F(FastAp, AveragesOverAnchorsThatHaveAPositive) {
  const auto fastap = loss("fastap");
  expect_finite_at_the_edges(*fastap);
  EXPECT_EQ(finite_loss(*fastap, with_labels({0, 1, 2, 3, 4, 5})), 0);
  const auto values = (*fastap)(with_labels({0, 0, 1, 2, 3, 4}));
  const auto pair = (*fastap)(six);
  EXPECT_EQ(values[2].item<double>(), 0);
  EXPECT_NEAR(values[0].item<double>(), 3 * pair[0].item<double>(), 1e-9) << "two of six anchors count";
}

}  // namespace
}  // namespace procsim::train
