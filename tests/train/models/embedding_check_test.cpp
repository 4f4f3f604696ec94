#include "train/models/embedding_check.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/support/expect_error.hpp"

namespace procsim::train {
namespace {

TEST(EmbeddingCheck, OneNumberThatIsNotFiniteIsAnError) {
  for (const float value :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    auto rows = torch::eye(4);
    rows[2][1] = value;
    test::expect_error([&] { check_embedding_values(rows, "eval"); },
                       {"eval: 1 of 4 embeddings hold NaN", "lower --lr"});
  }
}

TEST(EmbeddingCheck, LargeFiniteNumbersAreNone) {
  check_embedding_values(torch::eye(3) * std::numeric_limits<float>::max(), "eval");
}

TEST(EmbeddingCheck, APointIsAnErrorAlsoWithTheRoundingOfSums) {
  auto rows = torch::ones({5, 3}) / std::sqrt(3.0F);
  rows[1][0] += 1e-7F;
  test::expect_error([&] { check_embedding_values(rows, "eval"); }, {"all 5 embeddings are the same"});
  check_embedding_values(rows.slice(0, 0, 1), "one sample has nothing to be told from");
  rows[1][0] += 1e-3F;
  check_embedding_values(rows, "told apart");
  check_embedding_values(torch::empty({0, 3}), "no sample");
}

TEST(EmbeddingCheck, WeightsThatAreNotFiniteAreNamed) {
  std::map<std::string, torch::Tensor> weights{{"count", torch::ones({1}, torch::kInt64)},
                                               {"stem", torch::ones({2, 2})}};
  check_weights(weights);
  weights["stem"][1][0] = std::numeric_limits<float>::infinity();
  test::expect_error([&] { check_weights(weights); }, {"'stem'", "diverged"});
}

}  // namespace
}  // namespace procsim::train
