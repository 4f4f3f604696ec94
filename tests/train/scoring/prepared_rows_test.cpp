#include "train/scoring/prepared_rows.hpp"

#include <gtest/gtest.h>

#include "train/models/torch.hpp"

namespace procsim::train {
namespace {

torch::Tensor normal_rows(std::int64_t samples, std::int64_t width) {
  torch::manual_seed(3);
  return torch::randn({samples, width});
}

// What a turn of the axes leaves as it is: the products of the centred unit rows, in double precision.
torch::Tensor products_of(const torch::Tensor& rows) {
  auto x = rows.to(torch::kFloat64);
  x = x.min().item<double>() >= 0 ? x.sqrt() : x;
  x = x - x.mean(0);
  x = x / x.norm(2, 1, true).clamp_min(1e-12);
  x = x - x.mean(0);
  return torch::mm(x, x.t());
}

double largest_difference(const torch::Tensor& prepared, const torch::Tensor& rows) {
  const auto turned = prepared.to(torch::kFloat64);
  return (torch::mm(turned, turned.t()) - products_of(rows)).abs().max().item<double>();
}

TEST(PreparedRows, FewSamplesOfManyDimensionsKeepEveryProduct) {
  const auto rows = normal_rows(40, 700);
  const auto prepared = prepare_rows(rows, 64);
  EXPECT_EQ(prepared.sizes(), (std::vector<std::int64_t>{40, 64}));
  EXPECT_LT(largest_difference(prepared, rows), 1e-5);
}

// One-hot rows: nearly all eigenvalues of the dimensions' scatter are zero, and single precision did not
// converge.
TEST(PreparedRows, SparseRowsOfAHundredThousandDimensionsTakeNoMatrixOfThem) {
  auto rows = torch::zeros({120, 100000});
  for (std::int64_t i = 0; i < 120; ++i) rows[i][(i * 7919) % 100000] = 1;
  const auto prepared = prepare_rows(rows, 512);
  EXPECT_EQ(prepared.size(1), 512);
  EXPECT_LT(largest_difference(prepared, rows), 1e-5);
}

TEST(PreparedRows, MoreSamplesThanDimensionsOfLowRankConvergeToo) {
  auto rows = torch::zeros({900, 600});
  for (std::int64_t i = 0; i < 900; ++i) rows[i][i % 30] = 1;
  const auto prepared = prepare_rows(rows, 512);
  EXPECT_LT(largest_difference(prepared, rows), 1e-4);
}

TEST(PreparedRows, ShortRowsAreCentredAndNotTurned) {
  const auto prepared = prepare_rows(torch::tensor({{-1.0F, 2.0F}, {3.0F, 2.0F}}), 8);
  EXPECT_TRUE(torch::allclose(prepared, torch::tensor({{-1.0F, 0.0F}, {1.0F, 0.0F}})));
}

// Whether rows are turned or had one by one from the table, with and without square roots.
TEST(PreparedRows, SomeRowsAreThoseOfTheWholeTableToTheBit) {
  const std::vector<std::int64_t> samples{7, 0, 299, 7};
  const auto indices = torch::tensor(samples, torch::kInt64);
  for (const auto& rows : {normal_rows(300, 33), normal_rows(300, 33).abs(), normal_rows(300, 90)}) {
    const PreparedRows prepared(rows, 40);
    EXPECT_TRUE(torch::equal(prepared.of(samples), prepare_rows(rows, 40).index_select(0, indices)));
    EXPECT_TRUE(torch::equal(prepared.of(std::span(samples).first(1)),
                             prepare_rows(rows, 40).index_select(0, indices.slice(0, 0, 1))));
  }
}

// The largest components of both ways to the same end: rows with five strong directions.
TEST(PreparedRows, TheIterationForLargeTablesFindsTheStrongDirections) {
  torch::manual_seed(5);
  const auto rows =
      torch::mm(torch::randn({4200, 5}), torch::randn({5, 4200})) + 0.01 * torch::randn({4200, 4200});
  const auto prepared = prepare_rows(rows, 8);
  EXPECT_EQ(prepared.sizes(), (std::vector<std::int64_t>{4200, 8}));
  const auto some = prepared.slice(0, 0, 50).to(torch::kFloat64);
  const auto exact = products_of(rows).slice(0, 0, 50).slice(1, 0, 50);
  EXPECT_LT((torch::mm(some, some.t()) - exact).abs().max().item<double>(), 2e-3);
  EXPECT_TRUE(torch::equal(prepared, prepare_rows(rows, 8)));
}

}  // namespace
}  // namespace procsim::train
