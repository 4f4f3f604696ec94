#include "train/losses/contrastive.hpp"

#include <gtest/gtest.h>

#include "tests/train/rival_test.hpp"

namespace procsim::train {
namespace {

class Contrastive : public RivalTest {};

TEST_F(Contrastive, HasTheIndependentValues) {
  expect_values(ContrastiveLoss()(batch), expected["contrastive"]);
  expect_close(ContrastiveLoss()(six), rivals["contrastive"]);
}

TEST_F(Contrastive, GradientsAgreeWithFiniteDifferences) {
  expect_gradients([](const LossBatch& input) { return ContrastiveLoss()(input); });
  batch.partner_confidence = vector(expected["partner_confidence"]);
  expect_gradients([](const LossBatch& input) { return ContrastiveLoss()(input); });
}

}  // namespace
}  // namespace procsim::train
