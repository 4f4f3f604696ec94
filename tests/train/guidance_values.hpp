#pragma once

#include <vector>

#include <gtest/gtest.h>

#include "tests/train/expected_values.hpp"
#include "train/models/torch.hpp"

namespace procsim::train {

inline torch::Tensor guidance_matrix(const nlohmann::json& rows) {
  std::vector<double> values;
  for (const auto& row : rows)
    for (const auto& value : row) values.push_back(value);
  return torch::tensor(values, torch::kFloat64).view({static_cast<std::int64_t>(rows.size()), -1});
}

// What tests/train/expected/make_guidance.py computed.
class GuidanceValues : public ::testing::Test {
 protected:
  nlohmann::json expected = test::expected_values("guidance.json");
  torch::Tensor embeddings = guidance_matrix(expected["embeddings"]);
  std::vector<std::int64_t> classes = expected["labels"].get<std::vector<std::int64_t>>();
  torch::Tensor labels = torch::tensor(classes, torch::kInt64);
  torch::Tensor language =
      guidance_matrix(expected["language"]).index_select(0, labels).index_select(1, labels).contiguous();
};

}  // namespace procsim::train
