#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/train/expected_values.hpp"
#include "train/models/embedder.hpp"
#include "train/models/weight_layout.hpp"

namespace procsim::train {

// A case of tests/train/expected/make_backbones.py by its name.
inline nlohmann::json library_case(const std::string& file, const std::string& name) {
  for (auto& one : test::expected_values(file))
    if (one["name"] == name) return one;
  ADD_FAILURE() << "no case " << name << " in " << file;
  return {};
}

inline torch::Tensor value_by_formula(std::int64_t t, const std::string& name,
                                      const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (const auto side : shape) count *= side;
  auto values = torch::sin(0.37 * torch::arange(count, torch::kFloat64) + t);
  if (shape.size() > 1)
    values = values * std::sqrt(2.0 / static_cast<double>(count / shape[0]));
  else if (name.ends_with("running_var") || name.ends_with(".weight"))
    values = 1 + 0.1 * values;
  else
    values = 0.1 * values;
  return values.view(shape).to(torch::kFloat32);
}

// The file's weights under the library's names, as the script beside the values made them.
inline NamedTensors weights_by_formula(const nlohmann::json& one) {
  NamedTensors tensors;
  std::int64_t t = 0;
  for (const auto& [name, shape] : one["shapes"].get<std::map<std::string, std::vector<std::int64_t>>>())
    tensors[name] = value_by_formula(t++, name, shape);
  return tensors;
}

// The features of the case, at every size it has, to 1e-5 of their length.
inline void expect_features(Backbone& backbone, const nlohmann::json& one) {
  backbone.eval();
  const torch::NoGradGuard no_gradients;
  for (const auto& [size_text, rows] : one["features"].items()) {
    const auto size = std::stoll(size_text);
    const auto pixels = torch::cos(0.05 * torch::arange(2 * 3 * size * size, torch::kFloat64))
                            .to(torch::kFloat32)
                            .view({2, 3, size, size});
    const auto features = backbone.run_from(0, pixels);
    ASSERT_EQ(features.size(1), backbone.features());
    const std::int64_t step = one["step"];
    for (std::int64_t row = 0; row < 2; ++row) {
      const auto wanted = rows[static_cast<std::size_t>(row)].get<std::vector<double>>();
      const double allowed = 1e-5 * std::max(1.0, features[row].norm().item<double>());
      for (std::size_t i = 0; i < wanted.size(); ++i)
        EXPECT_NEAR(features[row][step * static_cast<std::int64_t>(i)].item<double>(), wanted[i], allowed)
            << one["name"] << " at " << size << " px, feature " << i * static_cast<std::size_t>(step);
    }
  }
}

// Weights that the library names go through its layout into our network, which then computes what it does.
inline void expect_library_agreement(const std::string& file, const std::string& name,
                                     const Architecture& architecture, std::string_view library) {
  const auto one = library_case(file, name);
  const auto renamed = to_our_names(weights_by_formula(one));
  EXPECT_EQ(renamed.library, library);
  Embedder model(make_backbone(architecture), 5, 1);
  ASSERT_NO_THROW(model.load(renamed.tensors, name, /*pretrained=*/true));
  expect_features(model.backbone(), one);
}

}  // namespace procsim::train
