#include "train/runs/learner.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "train/losses/guidance_loss.hpp"
#include "train/losses/multi_similarity.hpp"

namespace procsim::train {
namespace {

// A step on samples that the oracle distrusts entirely leaves nothing but the guidance in the objective.
double objective_without_trust(bool confidence_on_guidance) {
  TrainConfig config;
  config.confidence = "oracle";
  config.dimension = 8;
  config.omega = 3;
  config.confidence_on_guidance = confidence_on_guidance;
  Embedder model(make_backbone("small", 1, false), 8, 1);
  Learner learner(config, model, 3, torch::kCPU);
  torch::manual_seed(2);
  const auto input = torch::randn({6, 3, 32, 32});
  const auto labels = torch::tensor({0, 0, 1, 1, 2, 2}, torch::kInt64);
  const std::vector<std::uint8_t> wrong(6, 1);
  return learner.step(input, 0, labels, wrong, nullptr, torch::zeros({6, 6})).loss;
}

TEST(GuidedStep, ConfidenceLeavesTheGuidanceUntouchedUnlessAsked) {
  Embedder model(make_backbone("small", 1, false), 8, 1);
  model.train_mode(true);
  torch::manual_seed(2);
  const auto embeddings = model.embed(torch::randn({6, 3, 32, 32}));
  const auto labels = torch::tensor({0, 0, 1, 1, 2, 2}, torch::kInt64);
  const double wanted = 3 * guidance_loss(embeddings, labels, torch::zeros({6, 6})).mean().item<double>();
  ASSERT_GT(wanted, 1e-4);
  EXPECT_NEAR(objective_without_trust(false), wanted, 1e-5);
  EXPECT_EQ(objective_without_trust(true), 0);
}

// A batch of a fresh model: what its step must come to is computed from the model's own embeddings.
struct FirstStep {
  TrainConfig config;
  torch::Tensor input = [] {
    torch::manual_seed(2);
    return torch::randn({6, 3, 32, 32});
  }();
  torch::Tensor labels = torch::tensor({0, 0, 1, 1, 2, 2}, torch::kInt64);

  FirstStep() { config.dimension = 8; }
  StepResult run(bool trust_all, const torch::Tensor& guidance = {}) const {
    Embedder model(make_backbone("small", 1, false), 8, 1);
    Learner learner(config, model, 3, torch::kCPU);
    learner.trust_all(trust_all);
    return learner.step(input, 0, labels, {}, nullptr, guidance);
  }
  LossBatch batch() const {
    Embedder model(make_backbone("small", 1, false), 8, 1);
    model.train_mode(true);
    return {model.embed(input), labels, {}};
  }
};

TEST(WarmUp, TrustsEveryLabelWhereTheConfidenceWouldDoubt) {
  FirstStep step;
  step.config.lambda = 0.01;
  const auto doubting = step.run(false);
  EXPECT_LT(*std::min_element(doubting.sigma.begin(), doubting.sigma.end()), 0.9);
  const auto trusting = step.run(true);
  EXPECT_EQ(trusting.sigma, std::vector<double>(6, 1.0));
  EXPECT_EQ(trusting.threshold, doubting.threshold) << "what a page shows stays";
  EXPECT_NEAR(trusting.loss, MultiSimilarityLoss()(step.batch()).mean().item<double>(), 1e-6);
}

TEST(GuidedStep, TheShiftReachesTheLoss) {
  FirstStep step;
  step.config.omega = 2;
  step.config.confidence = "none";
  const auto guidance = torch::eye(6);
  const auto batch = step.batch();
  const double plain = MultiSimilarityLoss()(batch).mean().item<double>();
  for (const double shift : {1.0, 0.0}) {
    step.config.guidance_shift = shift;
    const double guided = guidance_loss(batch.embeddings, step.labels, guidance, shift).mean().item<double>();
    EXPECT_NEAR(step.run(false, guidance).loss, plain + 2 * guided, 1e-5) << shift;
  }
}

}  // namespace
}  // namespace procsim::train
