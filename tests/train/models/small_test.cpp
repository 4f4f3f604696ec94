#include "train/models/small.hpp"

#include <gtest/gtest.h>

namespace procsim::train {
namespace {

TEST(SmallBackbone, TakesPicturesOfAnySizeAndGives128Features) {
  const auto backbone = make_small(*find_architecture("small"));
  const torch::NoGradGuard no_gradients;
  for (const std::int64_t side : {32, 48, 64})
    EXPECT_EQ(backbone->run_from(0, torch::zeros({2, 3, side, side})).sizes(),
              (std::vector<std::int64_t>{2, 128}));
  EXPECT_EQ(backbone->features(), 128);
}

// Group normalisation: what a picture becomes does not depend on its batch, in training neither.
TEST(SmallBackbone, APictureDoesNotDependOnItsBatch) {
  const auto backbone = make_small(*find_architecture("small"));
  backbone->train(true);
  const torch::NoGradGuard no_gradients;
  torch::manual_seed(3);
  const auto pictures = torch::randn({4, 3, 32, 32});
  const auto together = backbone->run_from(0, pictures);
  const auto alone = backbone->run_from(0, pictures.slice(0, 2, 3));
  EXPECT_LT((together[2] - alone[0]).abs().max().item<float>(), 1e-4F);
}

}  // namespace
}  // namespace procsim::train
