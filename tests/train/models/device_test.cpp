#include "train/models/device.hpp"

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"

namespace procsim::train {
namespace {

TEST(Device, TheProcessorIsAlwaysThere) {
  EXPECT_EQ(choose_device("cpu").type(), torch::kCPU);
  const auto best = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  EXPECT_EQ(choose_device("auto").type(), best);
}

TEST(Device, WhatIsNotThereIsAnError) {
  test::expect_error([] { choose_device("gpu"); }, {"gpu", "cpu"});
  if (!torch::cuda::is_available()) test::expect_error([] { choose_device("cuda"); }, {"cuda"});
}

TEST(PrecisionScope, ProductsAreRoundedWhileItLives) {
  const auto a = torch::full({4, 4}, 1.001F);
  const auto full = torch::mm(a, a);
  {
    const PrecisionScope scope("bf16", torch::kCPU);
    const auto half = torch::mm(a, a);
    EXPECT_EQ(half.scalar_type(), torch::kBFloat16);
    EXPECT_NE(half[0][0].item<float>(), full[0][0].item<float>());
  }
  EXPECT_TRUE(torch::equal(torch::mm(a, a), full));
  const PrecisionScope scope("fp32", torch::kCPU);
  EXPECT_TRUE(torch::equal(torch::mm(a, a), full));
}

}  // namespace
}  // namespace procsim::train
