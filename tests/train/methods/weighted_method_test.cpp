#include "train/methods/weighted_method.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/train/first_step.hpp"
#include "train/losses/guidance_loss.hpp"
#include "train/losses/multi_similarity.hpp"

namespace procsim::train {
namespace {

using test::FirstStep;

// A step on samples that the oracle distrusts entirely leaves nothing but the guidance in the objective.
TEST(GuidedStep, TrustLeavesTheGuidanceUntouchedUnlessAsked) {
  FirstStep step;
  step.config.confidence = "oracle";
  step.config.omega = 3;
  step.wrong.assign(6, 1);
  const auto guidance = torch::zeros({6, 6});
  const double wanted =
      3 * guidance_loss(step.loss_batch().embeddings, step.labels, guidance).mean().item<double>();
  ASSERT_GT(wanted, 1e-4);
  EXPECT_NEAR(step.run(0, guidance).objective, wanted, 1e-5);
  step.config.confidence_on_guidance = true;
  EXPECT_EQ(step.run(0, guidance).objective, 0);
}

TEST(GuidedStep, TheShiftReachesTheLoss) {
  FirstStep step;
  step.config.omega = 2;
  step.config.confidence = "none";
  const auto guidance = torch::eye(6);
  const auto batch = step.loss_batch();
  const double plain = MultiSimilarityLoss()(batch).mean().item<double>();
  for (const double shift : {1.0, 0.0}) {
    step.config.guidance_shift = shift;
    const double guided = guidance_loss(batch.embeddings, step.labels, guidance, shift).mean().item<double>();
    EXPECT_NEAR(step.run(0, guidance).objective, plain + 2 * guided, 1e-5) << shift;
  }
}

TEST(WeightedStep, WarmUpTrustsEveryLabelWhereTheConfidenceWouldDoubt) {
  FirstStep step;
  step.config.lambda = 0.01;
  const auto doubting = step.run();
  const auto& sigma = *doubting.column("sigma");
  EXPECT_LT(*std::min_element(sigma.begin(), sigma.end()), 0.9);
  step.config.warmup = 1;
  const auto trusting = step.run();
  EXPECT_EQ(*trusting.column("sigma"), std::vector<double>(6, 1.0));
  EXPECT_EQ(*trusting.scalar("threshold"), *doubting.scalar("threshold")) << "what a page shows stays";
  EXPECT_NEAR(trusting.objective, MultiSimilarityLoss()(step.loss_batch()).mean().item<double>(), 1e-6);
  EXPECT_EQ(step.run(1).objective, doubting.objective) << "the second epoch doubts";
}

TEST(WeightedStep, DividesByTheTrustWhereAsked) {
  FirstStep step;
  step.config.confidence = "oracle";
  step.wrong = {0, 0, 1, 1, 0, 0};
  const double over_samples = step.run().objective;
  step.config.average_over = "trust";
  ASSERT_GT(over_samples, 0);
  // Four of six anchors are trusted, and all of them contribute.
  EXPECT_NEAR(step.run().objective, over_samples * 6 / 4, 1e-5);
}

TEST(WeightedStep, ANumberThatIsNoneUpdatesNothing) {
  FirstStep step;
  step.input[0][0][0][0] = std::nanf("");
  const auto before = step.weights();
  const auto outcome = step.run();
  EXPECT_FALSE(std::isfinite(outcome.objective));
  EXPECT_EQ(outcome.column("proxy_loss")->size(), 6U) << "what failed_batch.csv shows";
  EXPECT_TRUE(torch::equal(step.weights(), before));
}

}  // namespace
}  // namespace procsim::train
