#include "train/frame/own_parameters.hpp"

#include <gtest/gtest.h>

#include "data/base/error.hpp"

namespace procsim::train {
namespace {

torch::Tensor centres() { return torch::ones({2, 3}).requires_grad_(true); }

void pull(OwnParameters& own, const torch::Tensor& tensor) {
  own.zero_grad();
  (tensor * tensor).sum().backward();
  own.step();
}

TEST(OwnParameters, LearnAtTheirOwnRate) {
  const auto tensor = centres();
  OwnParameters own({{"centres", tensor}}, 0.125);
  pull(own, tensor);
  EXPECT_NEAR(tensor[0][0].item<float>(), 1 - 0.125, 1e-5) << "Adam's first step is its rate";
}

TEST(OwnParameters, GoOnBitForBit) {
  const auto a = centres();
  OwnParameters whole({{"centres", a}}, 0.1);
  pull(whole, a);
  TensorFile file;
  whole.save(CheckpointPart(file, "x").below("objective"));
  for (auto& [name, tensor] : file.tensors) tensor = tensor.clone();
  const auto b = centres();
  OwnParameters restored({{"centres", b}}, 0.1);
  restored.restore(CheckpointPart(file, "x").below("objective"));
  pull(whole, a);
  pull(restored, b);
  EXPECT_TRUE(torch::equal(a, b));
}

TEST(OwnParameters, WithoutAnyDoNothing) {
  OwnParameters none({}, 0.1);
  none.zero_grad();
  none.step();
  TensorFile file;
  none.save({file, "x"});
  EXPECT_TRUE(file.tensors.empty());
  none.restore({file, "x"});
}

TEST(OwnParameters, OfAnotherShapeAreRefused) {
  TensorFile file;
  file.tensors["centres"] = torch::ones({2, 4});
  OwnParameters own({{"centres", centres()}}, 0.1);
  EXPECT_THROW(own.restore({file, "x"}), Error);
}

}  // namespace
}  // namespace procsim::train
