#include <gtest/gtest.h>

#include "tests/train/rival_test.hpp"
#include "train/losses/cross_batch_memory.hpp"

namespace procsim::train {
namespace {

class Mcl : public RivalTest {
 protected:
  CrossBatchMemory& memory() { return *CrossBatchMemory::of(parts()); }
  void remember(const nlohmann::json& rows, const nlohmann::json& labels) {
    memory().offer({matrix(rows), labels_of(labels), {}});
    memory().learn();
  }
  // The memory keeps float32.
  static void expect_near(const torch::Tensor& actual, const nlohmann::json& values) {
    EXPECT_LT((actual - vector(values)).abs().max().item<double>(), 1e-6) << actual << values;
  }
};

TEST_F(Mcl, HasTheIndependentValues) {
  const auto mcl = loss("mcl");
  const auto& wanted = rivals["mcl"];
  remember(wanted["memory"], wanted["memory_labels"]);
  expect_near((*mcl)(six), wanted["values"]);
  memory().learn();
  EXPECT_EQ(memory().size(), 9) << "the batch is remembered after the step";
}

TEST_F(Mcl, WithAnEmptyMemoryTheBatchIsAllItIsComparedWith) {
  const auto mcl = loss("mcl");
  expect_near((*mcl)(six) / 2, rivals["mcl"]["batch_rows"]);
}

TEST_F(Mcl, DoesNotLookAtTheMemoryBeforeItsStart) {
  expect_near((*loss("mcl", {{"memory_start", 5}}))(six), rivals["mcl"]["batch_rows"]);
}

TEST_F(Mcl, ASmallMemoryHoldsTheEndOfTheBatch) {
  const auto mcl = loss("mcl", {{"memory_size", 2}});
  EXPECT_GT(finite_loss(*mcl, six), 0);
}

// What is remembered of the batch itself carries no gradient, as published: differences see only the rest.
TEST_F(Mcl, GradientsAgreeWithFiniteDifferences) {
  const auto mcl = loss_of_twelve("mcl", {{"memory_start", 100}});
  expect_gradients_of(*mcl);
  const auto selective = loss_of_twelve("mcl", {{"memory_start", 0}});
  memory().select();
  memory().offer({matrix(expected["embeddings_second"]), batch.labels, {}});
  memory().learn();
  expect_gradients_of(*selective);
  batch.partner_confidence = vector(expected["partner_confidence"]);
  expect_gradients_of(*selective);
}

}  // namespace
}  // namespace procsim::train
