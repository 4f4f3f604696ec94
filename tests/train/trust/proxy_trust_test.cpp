#include "train/trust/proxy_trust.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "train/losses/multi_similarity.hpp"

namespace procsim::train {
namespace {

struct Scene {
  std::shared_ptr<Proxies> proxies = std::make_shared<Proxies>(
      ProxyNcaOptions{.classes = 3, .dimension = 4, .scale = 1}, 1, 1e-2, false, torch::kCPU);
  torch::Tensor embeddings = [] {
    torch::manual_seed(4);
    return torch::nn::functional::normalize(torch::randn({6, 4}));
  }();
  Batch batch = [] {
    Batch made;
    made.samples = {10, 11, 12, 13, 14, 15};
    made.labels = torch::tensor({0, 0, 1, 1, 2, 2}, torch::kInt64);
    return made;
  }();
  std::vector<double> losses() {
    const auto values =
        proxies->observe({embeddings, batch.labels, {}}).detach().to(torch::kFloat64).contiguous();
    return {values.data_ptr<double>(), values.data_ptr<double>() + 6};
  }
};

TEST(ProxyTrust, IsTheConfidenceOfTheProxyLoss) {
  Scene scene;
  const auto losses = scene.losses();
  ConfidenceRule rule(ThresholdKind::kOtsu, 0.1);
  const auto wanted = rule(losses);
  ProxyTrust judge(scene.proxies, ConfidenceRule(ThresholdKind::kOtsu, 0.1));
  const auto trust = judge(scene.batch, scene.embeddings);
  EXPECT_EQ(trust.weight, wanted.sigma);
  EXPECT_EQ(trust.columns[0].second, losses);
  EXPECT_EQ(trust.scalars[0].second, *wanted.threshold);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_EQ(trust.columns[1].second[i], losses[i] > *wanted.threshold ? 0 : 1);
  EXPECT_TRUE(trust.partner.empty()) << "the paper trusts every partner";
}

TEST(ProxyTrust, OfAnotherLossStillShowsTheProxyLoss) {
  Scene scene;
  ProxyTrust judge(scene.proxies, ConfidenceRule(ThresholdKind::kOtsu, 0.1),
                   std::make_unique<MultiSimilarityLoss>(MultiSimilarityLossOptions{.mining = false}));
  const auto trust = judge(scene.batch, scene.embeddings);
  EXPECT_EQ(trust.columns[0].second, scene.losses());
  ProxyTrust plain(scene.proxies, ConfidenceRule(ThresholdKind::kOtsu, 0.1));
  EXPECT_NE(trust.weight, plain(scene.batch, scene.embeddings).weight);
  EXPECT_EQ(judge.quantities()[0].marker, "") << "its threshold is none of the proxy loss";
}

TEST(ProxyTrust, SaysWhereItCannotJudge) {
  Scene scene;
  scene.embeddings[0][0] = std::nanf("");
  ProxyTrust judge(scene.proxies, ConfidenceRule(ThresholdKind::kOtsu, 0.1));
  const auto trust = judge(scene.batch, scene.embeddings);
  for (const double weight : trust.weight) EXPECT_TRUE(std::isnan(weight));
  EXPECT_EQ(trust.columns[0].second.size(), 6U);
}

TEST(ProxyTrust, GoesOnWithTheMeanOfAllLosses) {
  Scene scene;
  ProxyTrust whole(scene.proxies, ConfidenceRule(ThresholdKind::kMean, 0.1));
  whole(scene.batch, scene.embeddings);
  TensorFile file;
  whole.save({file, "x"});
  ProxyTrust restored(scene.proxies, ConfidenceRule(ThresholdKind::kMean, 0.1));
  restored.restore({file, "x"});
  scene.embeddings = scene.embeddings.flip(0);
  EXPECT_EQ(whole(scene.batch, scene.embeddings).scalars, restored(scene.batch, scene.embeddings).scalars);
}

}  // namespace
}  // namespace procsim::train
