#include "train/methods/self_distillation.hpp"

#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/train/first_step.hpp"
#include "tests/train/rival_test.hpp"

namespace procsim::train {
namespace {

class SelfDistillationTest : public RivalTest {};

TEST_F(SelfDistillationTest, HasTheIndependentValues) {
  const auto rows = listwise_divergence(six.embeddings, matrix(rivals["lsd"]["teacher"]), 1);
  expect_close(rows, rivals["lsd"]["kl"]);
  EXPECT_NEAR(rows.mean().item<double>() * 50 * 30 / 150, rivals["lsd"]["penalty"].get<double>(), 1e-9);
}

TEST_F(SelfDistillationTest, GradientsAgreeWithFiniteDifferences) {
  const auto teacher = matrix(expected["embeddings_second"]);
  expect_gradients(
      [&](const LossBatch& input) { return listwise_divergence(input.embeddings, teacher, 0.2); });
}

TEST_F(SelfDistillationTest, RefusesOptionsThatCannotBe) {
  EXPECT_THROW(SelfDistillationOptions({.alpha = -1}).validate(), UsageError);
  EXPECT_THROW(SelfDistillationOptions({.temperature = 0}).validate(), UsageError);
}

// Epochs of one step each: the teacher is the model as the epoch began, so that its term is 0 in the first
// step of an epoch and grows in the second.
TEST(SelfDistillationStep, TheTeacherLagsAnEpoch) {
  for (const double alpha : {0.0, 1e4}) {
    test::FirstStep step;
    step.config.confidence = "none";
    step.config.distillation = "lsd";
    step.config.epochs = 4;
    step.config.options["lsd_alpha"] = alpha;
    const auto method = step.method();
    std::vector<double> objectives;
    TrainingSet set;
    for (const std::int64_t epoch : {0, 1}) {
      method->begin_epoch(set);
      for (int i = 0; i < 2; ++i) objectives.push_back(method->step(step.batch(epoch)).objective);
    }
    static std::vector<double> plain;
    if (alpha == 0) {
      plain = objectives;
      continue;
    }
    EXPECT_EQ(objectives[0], plain[0]);
    EXPECT_EQ(objectives[1], plain[1]) << "nothing in the first epoch";
    EXPECT_NEAR(objectives[2], plain[2], 1e-3) << "the model as the epoch began";
    EXPECT_GT(objectives[3], plain[3] + 1e-4) << "a step later it is behind";
  }
}

}  // namespace
}  // namespace procsim::train
