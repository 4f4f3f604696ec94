#include "train/frame/network.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/support/expect_error.hpp"

namespace procsim::train {
namespace {

Embedder small(std::uint64_t seed = 1) { return {make_backbone("small", seed, false), 8, seed}; }

torch::Tensor images() {
  torch::manual_seed(3);
  return torch::randn({4, 3, 32, 32});
}

void descend_once(Network& network) { network.descend(network.forward(images(), 0).select(1, 0).sum()); }

TEST(Network, DescendsTheObjective) {
  auto model = small();
  Network network(model, {.kind = "sgd", .lr = 1e-3, .momentum = 0}, "fp32");
  const double before = network.forward(images(), 0).select(1, 0).sum().item<double>();
  descend_once(network);
  EXPECT_LT(network.forward(images(), 0).select(1, 0).sum().item<double>(), before);
}

class RestoredNetwork : public ::testing::TestWithParam<const char*> {};

TEST_P(RestoredNetwork, GoesOnBitForBit) {
  const OptimizerOptions options{.kind = GetParam(), .lr = 1e-2, .momentum = 0.9, .weight_decay = 1e-3};
  auto whole_model = small();
  Network whole(whole_model, options, "fp32");
  descend_once(whole);
  TensorFile file;
  whole.save({file, "x"});
  for (auto& [name, tensor] : file.tensors) tensor = tensor.clone();
  auto restored_model = small(2);
  Network restored(restored_model, options, "fp32");
  restored.restore({file, "x"});
  descend_once(whole);
  descend_once(restored);
  const auto theirs = restored_model.state();
  for (const auto& [name, tensor] : whole_model.state())
    EXPECT_TRUE(torch::equal(tensor, theirs.at(name))) << name;
}

INSTANTIATE_TEST_SUITE_P(Optimizers, RestoredNetwork, ::testing::Values("adam", "adamw", "sgd"),
                         [](const auto& parameter) { return std::string(parameter.param); });

TEST(Network, WeightsThatAreNotFiniteAreNotSaved) {
  auto model = small();
  Network network(model, {}, "fp32");
  TensorFile file;
  network.save({file, "x"});
  {
    const torch::NoGradGuard no_gradients;
    model.trainable().front().second.fill_(std::numeric_limits<float>::quiet_NaN());
  }
  test::expect_error([&] { network.save({file, "x"}); }, {"diverged"});
}

TEST(Network, RefusesWeightsOfAnotherModel) {
  TensorFile file;
  auto model = small();
  Network network(model, {}, "fp32");
  EXPECT_THROW(network.restore({file, "x"}), Error);
}

}  // namespace
}  // namespace procsim::train
