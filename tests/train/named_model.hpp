#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/train/expected_values.hpp"
#include "train/models/embedder.hpp"

namespace procsim::train {

// The same weights as tests/train/expected/make_models.py. The library's own head counts among its tensors.
inline void fill_by_formula(Backbone& backbone) {
  std::map<std::string, torch::Tensor> sorted;
  for (const auto& item : backbone.state()) sorted[item.key()] = item.value();
  sorted[backbone.head_name() + ".bias"] = torch::Tensor();
  sorted[backbone.head_name() + ".weight"] = torch::Tensor();
  const torch::NoGradGuard no_gradients;
  std::int64_t t = 0;
  for (auto& [name, tensor] : sorted) {
    if (tensor.defined()) {
      auto values = torch::sin(0.37 * torch::arange(tensor.numel(), torch::kFloat64) + t);
      if (tensor.dim() > 1)
        values = values * std::sqrt(2.0 / static_cast<double>(tensor.numel() / tensor.size(0)));
      else if (name.ends_with("running_var") || name.ends_with(".weight"))
        values = 1 + 0.1 * values;
      else
        values = 0.1 * values;
      tensor.copy_(values.view(tensor.sizes()).to(torch::kFloat32));
    }
    ++t;
  }
}

// Names and shapes of the tensors as the library has them.
inline void expect_library_shapes(const std::string& name) {
  const auto expected = test::expected_values("models.json");
  const auto backbone = make_backbone(name, 1, false);
  std::map<std::string, std::vector<std::int64_t>> ours;
  for (const auto& item : backbone->state()) ours[item.key()] = item.value().sizes().vec();
  EXPECT_EQ(ours, (expected[name]["shapes"].get<std::map<std::string, std::vector<std::int64_t>>>()));
}

// The features that the library computes for the same weights and pixels.
inline void expect_library_features(const std::string& name) {
  const auto expected = test::expected_values("models.json");
  auto backbone = make_backbone(name, 1, false);
  fill_by_formula(*backbone);
  backbone->eval();
  const std::int64_t size = expected["image_size"];
  const auto pixels = torch::cos(0.05 * torch::arange(2 * 3 * size * size, torch::kFloat64))
                          .to(torch::kFloat32)
                          .view({2, 3, size, size});
  const torch::NoGradGuard no_gradients;
  const auto features = backbone->run_from(0, pixels);
  ASSERT_EQ(features.size(1), backbone->features());
  for (std::int64_t row = 0; row < 2; ++row) {
    const double norm = expected[name]["norms"][static_cast<std::size_t>(row)];
    EXPECT_NEAR(features[row].norm().item<double>(), norm, 1e-4 * norm);
    const auto wanted = expected[name]["features"][static_cast<std::size_t>(row)].get<std::vector<double>>();
    for (std::size_t i = 0; i < wanted.size(); ++i)
      EXPECT_NEAR(features[row][static_cast<std::int64_t>(97 * i)].item<double>(), wanted[i], 1e-4 * norm);
  }
}

}  // namespace procsim::train
