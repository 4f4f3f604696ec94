#include "train/frame/checkpoint_part.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"

namespace procsim::train {
namespace {

TEST(CheckpointPart, KeepsTensorsAndValuesBelowItsName) {
  TensorFile file;
  CheckpointPart part = CheckpointPart(file, "x").below("trust").below("means");
  part.put("losses", torch::ones({2}));
  part.put_value("mean", {1.5, 3});
  EXPECT_TRUE(file.tensors.contains("trust.means.losses"));
  EXPECT_TRUE(part.holds("losses"));
  EXPECT_FALSE(CheckpointPart(file, "x").holds("losses"));
  EXPECT_EQ(part.value("mean"), nlohmann::json({1.5, 3}));
}

TEST(CheckpointPart, NamesTheFileAndWhatItLacks) {
  TensorFile file;
  const auto part = CheckpointPart(file, "run/last.safetensors").below("trust");
  test::expect_error([&] { part.tensor("losses"); }, {"run/last.safetensors", "trust.losses"});
  test::expect_error([&] { part.value("mean"); }, {"run/last.safetensors", "trust.mean"});
  file.metadata["trust.mean"] = "{";
  test::expect_error([&] { part.value("mean"); }, {"trust.mean", "damaged"});
  file.tensors["trust.losses"] = torch::ones({2});
  test::expect_error([&] { part.copy_to("losses", torch::zeros({3})); }, {"trust.losses", "shape"});
  auto target = torch::zeros({2});
  part.copy_to("losses", target);
  EXPECT_EQ(target.sum().item<float>(), 2);
}

}  // namespace
}  // namespace procsim::train
