#include <gtest/gtest.h>

#include "tests/train/rival_test.hpp"

namespace procsim::train {
namespace {

class Lifted : public RivalTest {};

TEST_F(Lifted, HasTheIndependentValuesInEachForm) {
  expect_close((*loss("lifted"))(six), rivals["lifted"]["original"]);
  expect_close((*loss("lifted", {{"lifted_form", "generalised"}}))(six), rivals["lifted"]["generalised"]);
}

TEST_F(Lifted, GradientsAgreeWithFiniteDifferences) {
  for (const std::string form : {"original", "generalised"}) {
    const auto lifted = loss_of_twelve("lifted", {{"lifted_form", form}});
    batch.partner_confidence = torch::Tensor();
    expect_gradients_of(*lifted);
    batch.partner_confidence = vector(expected["partner_confidence"]);
    expect_gradients_of(*lifted);
  }
}

TEST_F(Lifted, IsFiniteAtTheEdges) {
  expect_finite_at_the_edges(*loss("lifted"));
  expect_finite_at_the_edges(*loss("lifted", {{"lifted_form", "generalised"}}));
}

TEST_F(Lifted, WithoutPositivesTheGeneralisedFormKeepsItsNegatives) {
  const auto apart = with_labels({0, 1, 2, 3, 4, 5});
  EXPECT_EQ(finite_loss(*loss("lifted"), apart), 0);
  EXPECT_GT(finite_loss(*loss("lifted", {{"lifted_form", "generalised"}}), apart), 0);
}

}  // namespace
}  // namespace procsim::train
