#include <gtest/gtest.h>

#include "tests/train/rival_test.hpp"

namespace procsim::train {
namespace {

class SoftTriple : public RivalTest {};

TEST_F(SoftTriple, HasTheIndependentValuesAndPenalty) {
  const auto soft = loss("soft-triple", {{"soft_triple_centres", 2}});
  set(*soft, 3 * matrix(rivals["centres"]));  // only directions count
  expect_close((*soft)(six), rivals["soft_triple"]["values"]);
  EXPECT_NEAR(soft->penalty(six).item<double>(), rivals["soft_triple"]["penalty"].get<double>(), 1e-9);
}

TEST_F(SoftTriple, GradientsAgreeWithFiniteDifferences) {
  expect_gradients_of(*loss_of_twelve("soft-triple"));
}

TEST_F(SoftTriple, OneCentreHasNoPenaltyAndCentresThatCoincideAFiniteOne) {
  EXPECT_FALSE(loss("soft-triple", {{"soft_triple_centres", 1}})->penalty(six).defined());
  const auto soft = loss("soft-triple", {{"soft_triple_centres", 2}});
  set(*soft, torch::ones({6, 2}, torch::kFloat64));
  soft->penalty(six).backward();
  EXPECT_TRUE(torch::isfinite(soft->parameters().front().second.grad()).all().item<bool>());
}

}  // namespace
}  // namespace procsim::train
