#include "train/losses/super_loss.hpp"

#include <gtest/gtest.h>

#include "tests/train/loss_test.hpp"

namespace procsim::train {
namespace {

class SuperLossTest : public LossTest {};

TEST_F(SuperLossTest, HasTheIndependentValuesOverTwoBatches) {
  SuperLoss loss({.lambda = expected["super_loss"]["lambda"], .rate = expected["super_loss"]["rate"]});
  expect_values(loss(batch), expected["super_loss"]["batches"][0]);
  batch.embeddings = matrix(expected["embeddings_second"]);
  expect_values(loss(batch), expected["super_loss"]["batches"][1]);
}

TEST_F(SuperLossTest, ContinuesFromItsSavedState) {
  const SuperLossOptions options{.lambda = 0.25};
  SuperLoss whole(options);
  whole(batch);
  TensorFile file;
  whole.save({file, "test"});
  SuperLoss restored(options);
  restored.restore({file, "test"});
  batch.embeddings = matrix(expected["embeddings_second"]);
  EXPECT_TRUE(torch::equal(whole(batch), restored(batch)));
}

}  // namespace
}  // namespace procsim::train
