#include "train/losses/class_vectors.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace procsim::train {
namespace {

TEST(ClassVectors, DependOnSeedAndPurposeOnly) {
  const auto rows = drawn_rows(4, 3, {}, 1, "test/a");
  EXPECT_TRUE(torch::equal(rows, drawn_rows(4, 3, {}, 1, "test/a")));
  EXPECT_TRUE(torch::equal(rows.slice(0, 0, 2), drawn_rows(2, 3, {}, 1, "test/a")));
  EXPECT_FALSE(torch::equal(rows, drawn_rows(4, 3, {}, 2, "test/a")));
  EXPECT_FALSE(torch::equal(rows, drawn_rows(4, 3, {}, 1, "test/b")));
  EXPECT_TRUE(rows.requires_grad() && rows.is_leaf());
}

TEST(ClassVectors, AreDrawnAsWideAsAsked) {
  const auto uniform = drawn_rows(200, 50, {.scale = 0.3, .uniform = true}, 1, "test/a").detach();
  EXPECT_LE(uniform.abs().max().item<double>(), 0.3);
  EXPECT_NEAR(uniform.std().item<double>(), 0.3 / std::sqrt(3.0), 0.01);
  const auto normal = drawn_rows(200, 50, {.scale = 2}, 1, "test/a").detach();
  EXPECT_NEAR(normal.std().item<double>(), 2, 0.05);
}

TEST(ClassVectors, UnitRowsAndCrossEntropyOfRows) {
  const auto rows = unit_rows(torch::tensor({{3.0, 4.0}, {0.0, 2.0}}, torch::kFloat64));
  EXPECT_NEAR(rows[0][1].item<double>(), 0.8, 1e-12);
  const auto values =
      cross_entropy_of(torch::zeros({2, 4}, torch::kFloat64), torch::tensor({0, 3}, torch::kInt64));
  EXPECT_NEAR(values[1].item<double>(), std::log(4.0), 1e-12);
}

}  // namespace
}  // namespace procsim::train
