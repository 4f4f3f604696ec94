#include "train/models/row_products.hpp"

#include <gtest/gtest.h>

namespace procsim::train {
namespace {

// Whole numbers: their products are exact, whoever adds them up in whatever order.
torch::Tensor whole_numbers(std::int64_t rows, std::int64_t columns) {
  return torch::randint(-100, 100, {rows, columns}).to(torch::kFloat32);
}

TEST(RowProducts, AreThoseOfTheLibrary) {
  torch::manual_seed(1);
  for (const std::int64_t matrix_rows : {1, 300, 33'001}) {
    const auto matrix = whole_numbers(matrix_rows, 37);
    const RowProducts products(matrix, 64);
    for (const std::int64_t rows : {1, 17, 64, 100}) {
      const auto block = whole_numbers(rows, 37);
      const auto found = products(block);
      EXPECT_TRUE(found.is_contiguous());
      EXPECT_TRUE(torch::equal(found, torch::mm(block, matrix.t()))) << rows << " rows, " << matrix_rows;
    }
  }
}

TEST(RowProducts, TakeSlicesAndTransposedMatrices) {
  torch::manual_seed(2);
  const auto matrix = whole_numbers(64, 33'000).t();
  const auto rows = whole_numbers(9, 128).slice(1, 32, 96);
  EXPECT_TRUE(torch::equal(RowProducts(matrix, 9)(rows), torch::mm(rows, matrix.t())));
}

TEST(RowProducts, OtherPrecisionsAndNoRowsAreTheLibrarys) {
  const auto matrix = whole_numbers(2'000, 1'000).to(torch::kFloat64);
  const RowProducts products(matrix, 4);
  EXPECT_FALSE(products.packed());
  EXPECT_EQ(products(matrix.slice(0, 0, 4)).scalar_type(), torch::kFloat64);
  EXPECT_EQ(RowProducts(matrix.to(torch::kFloat32), 4)(torch::empty({0, 1'000})).sizes(),
            (std::vector<std::int64_t>{0, 2'000}));
}

}  // namespace
}  // namespace procsim::train
