#include "train/losses/proxies.hpp"

#include <gtest/gtest.h>

#include "tests/train/loss_test.hpp"

namespace procsim::train {
namespace {

Proxies proxies(bool from_means = false, double lr = 1e-2) {
  return {{.classes = 3, .dimension = 4, .scale = 1}, 1, lr, from_means, torch::kCPU};
}

LossBatch batch() {
  torch::manual_seed(4);
  const auto rows = torch::nn::functional::normalize(torch::randn({6, 4}));
  return {rows.requires_grad_(true), torch::tensor({0, 0, 1, 1, 2, 2}, torch::kInt64), {}};
}

TEST(Proxies, LearnFromTheMeanProxyLossAndMoveNothingElse) {
  auto own = proxies();
  const auto seen = batch();
  const double before = own.observe(seen).mean().item<double>();
  own.learn();
  EXPECT_LT(own.observe(seen).mean().item<double>(), before);
  EXPECT_FALSE(seen.embeddings.grad().defined()) << "the embeddings stay fixed";
}

TEST(Proxies, LearnOnceForWhateverLookedAtThem) {
  auto once = proxies();
  auto twice = proxies();
  const auto seen = batch();
  once.observe(seen);
  once.learn();
  twice.observe(seen);
  twice.observe(seen);
  twice.learn();
  twice.learn();
  EXPECT_TRUE(torch::equal(once.observe(seen), twice.observe(seen)));
}

TEST(Proxies, StartAtTheClassMeansWhereAsked) {
  const auto seen = batch();
  TrainingSet set;
  const std::vector<std::int64_t> labels{0, 0, 1, 1, 2, 2};
  set.labels = labels;
  set.classes = 3;
  set.embeddings = [&] { return seen.embeddings.detach(); };
  auto drawn = proxies(false);
  const auto before = drawn.observe(seen).detach();
  drawn.start(set);
  EXPECT_TRUE(torch::equal(drawn.observe(seen), before));
  auto means = proxies(true);
  means.start(set);
  auto wanted = torch::zeros({3, 4});
  for (std::int64_t i = 0; i < 6; ++i) wanted[i / 2] += seen.embeddings.detach()[i];
  const auto logits = 2 * torch::mm(seen.embeddings.detach(), torch::nn::functional::normalize(wanted).t());
  const auto losses = -torch::log_softmax(logits, 1).gather(1, seen.labels.unsqueeze(1)).squeeze(1);
  EXPECT_TRUE(torch::allclose(means.observe(seen), losses, 0, 1e-6));
}

TEST(Proxies, GoOnFromWhatTheySaved) {
  auto whole = proxies();
  const auto seen = batch();
  whole.observe(seen);
  whole.learn();
  TensorFile file;
  whole.save({file, "x"});
  for (auto& [name, tensor] : file.tensors) tensor = tensor.clone();
  auto restored = proxies();
  restored.restore({file, "x"});
  for (auto* one : {&whole, &restored}) {
    one->observe(seen);
    one->learn();
  }
  EXPECT_TRUE(torch::equal(whole.observe(seen), restored.observe(seen)));
}

}  // namespace
}  // namespace procsim::train
