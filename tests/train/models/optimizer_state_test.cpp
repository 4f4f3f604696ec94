#include "train/models/optimizer_state.hpp"

#include <functional>
#include <memory>

#include <gtest/gtest.h>

#include "tests/support/expect_error.hpp"

namespace procsim::train {
namespace {

using Make = std::function<std::unique_ptr<torch::optim::Optimizer>(std::vector<torch::Tensor>)>;

void step(torch::optim::Optimizer& optimizer, torch::Tensor& parameter) {
  optimizer.zero_grad();
  (parameter * parameter * torch::tensor({1.0F, 2.0F, 3.0F})).sum().backward();
  optimizer.step();
}

void expect_exact_continuation(const Make& make) {
  auto parameter = torch::tensor({1.0F, -2.0F, 0.5F}).requires_grad_(true);
  const auto whole = make({parameter});
  for (int i = 0; i < 3; ++i) step(*whole, parameter);
  TensorFile file;
  save_optimizer(*whole, {{"w", parameter}}, "optimizer.", file);
  EXPECT_FALSE(file.tensors.empty());
  auto copy = parameter.detach().clone().requires_grad_(true);
  const auto restored = make({copy});
  restore_optimizer(*restored, {{"w", copy}}, "optimizer.", file, "test");
  for (int i = 0; i < 3; ++i) {
    step(*whole, parameter);
    step(*restored, copy);
  }
  EXPECT_TRUE(torch::equal(parameter, copy));
}

std::unique_ptr<torch::optim::Optimizer> adam(std::vector<torch::Tensor> parameters) {
  return std::make_unique<torch::optim::Adam>(std::move(parameters), torch::optim::AdamOptions(0.1));
}

TEST(OptimizerState, ARestoredOptimizerContinuesBitForBit) {
  expect_exact_continuation(adam);
  expect_exact_continuation([](std::vector<torch::Tensor> parameters) {
    return std::make_unique<torch::optim::AdamW>(std::move(parameters), torch::optim::AdamWOptions(0.1));
  });
  expect_exact_continuation([](std::vector<torch::Tensor> parameters) {
    return std::make_unique<torch::optim::SGD>(std::move(parameters),
                                               torch::optim::SGDOptions(0.1).momentum(0.9));
  });
}

TEST(OptimizerState, WhatIsMissingOrOfAnotherShapeIsNamed) {
  auto parameter = torch::tensor({1.0F, -2.0F, 0.5F}).requires_grad_(true);
  const auto optimizer = adam({parameter});
  step(*optimizer, parameter);
  TensorFile file;
  save_optimizer(*optimizer, {{"w", parameter}}, "optimizer.", file);
  auto other = file;
  other.tensors.erase("optimizer.exp_avg_sq.w");
  test::expect_error(
      [&] { restore_optimizer(*optimizer, {{"w", parameter}}, "optimizer.", other, "x.file"); },
      {"x.file", "optimizer.exp_avg_sq.w"});
  file.tensors["optimizer.exp_avg.w"] = torch::zeros({7});
  test::expect_error([&] { restore_optimizer(*optimizer, {{"w", parameter}}, "optimizer.", file, "x.file"); },
                     {"x.file", "optimizer.exp_avg.w", "another shape"});
}

}  // namespace
}  // namespace procsim::train
