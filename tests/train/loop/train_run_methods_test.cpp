#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "tests/train/loop/training_fixture.hpp"
#include "train/loop/train_run.hpp"

namespace procsim::train {
namespace {

// An epoch with a method: what a user would see in its metrics.
class MethodTraining : public Training {
 protected:
  template <typename Set>
  double metric(const char* name, Set set, std::int64_t epochs = 1) {
    config = quick_config();
    config.epochs = epochs;
    set(config);
    return *train(std::to_string(++runs_)).records.back().find(name);
  }
  static void plain(TrainConfig&) {}
  static void trusting(TrainConfig& c) { c.confidence = "none"; }

 private:
  int runs_ = 0;
};

TEST_F(MethodTraining, ProxyNcaIsTheProxyLossItShows) {
  // Its loss is the proxy loss before each step, weighted by σ: without doubt the two are the same.
  const auto set = [](TrainConfig& c) {
    c.loss = "proxy-nca";
    c.confidence = "none";
  };
  EXPECT_NEAR(metric("loss", set), metric("proxy_loss", set), 1e-5);
  EXPECT_GT(std::abs(metric("loss", trusting) - metric("proxy_loss", trusting)), 1e-2);
}

TEST_F(MethodTraining, ContrastiveHasALossOfItsOwn) {
  const auto set = [](TrainConfig& c) {
    c.loss = "contrastive";
    c.confidence = "none";
  };
  const double contrastive = metric("loss", set);
  EXPECT_GT(contrastive, 0);
  EXPECT_LT(contrastive, 2) << "a hinge on distances of unit vectors";
  EXPECT_NE(contrastive, metric("loss", trusting));
}

TEST_F(MethodTraining, DoubtedPartnersLeaveThePairs) {
  for (const std::string loss : {"contrastive", "ms"}) {
    const auto with_scope = [&](const std::string& scope) {
      return metric("loss", [&](TrainConfig& c) {
        c.loss = loss;
        c.confidence = "oracle";
        c.confidence_scope = scope;
      });
    };
    EXPECT_NE(with_scope("pair"), with_scope("anchor")) << loss;
  }
}

TEST_F(MethodTraining, TheOracleDoubtsAsManyAsAreWrong) {
  double wrong = 0;
  for (const auto& sample : data.train) wrong += sample.label != *sample.true_label;
  ASSERT_GT(wrong, 0);
  const double sigma = metric("sigma", [](TrainConfig& c) { c.confidence = "oracle"; });
  EXPECT_NEAR(sigma, 1 - wrong / static_cast<double>(data.train.size()), 0.05);
}

TEST_F(MethodTraining, TheThresholdIsTheOneAskedFor) {
  const double otsu = metric("threshold", plain);
  EXPECT_NE(metric("threshold", [](TrainConfig& c) { c.threshold = "gmm"; }), otsu);
  EXPECT_NE(metric("threshold", [](TrainConfig& c) { c.threshold = "mean"; }), otsu);
  // Of the Multi-Similarity loss itself: a scale of its own.
  EXPECT_NE(metric("threshold", [](TrainConfig& c) { c.confidence_from = "ms"; }), otsu);
}

TEST_F(MethodTraining, JointProxiesAddTheProxyLossToTheObjective) {
  const auto joint = [](TrainConfig& c) {
    c.confidence = "none";
    c.joint_proxies = true;
  };
  EXPECT_GT(metric("loss", joint), metric("loss", trusting) + 0.5 * metric("proxy_loss", trusting));
}

TEST_F(MethodTraining, HalfPrecisionRoundsAndLearnsAllTheSame) {
  const double full = metric("loss", plain);
  const double half = metric("loss", [](TrainConfig& c) { c.precision = "bf16"; });
  EXPECT_NE(half, full);
  EXPECT_NEAR(half, full, 0.25 * full);
}

}  // namespace
}  // namespace procsim::train
