#include "train/frame/objective.hpp"

#include <gtest/gtest.h>

namespace procsim::train {
namespace {

torch::Tensor mask(std::initializer_list<int> values) {
  return torch::tensor(std::vector<int>(values)).view({3, 3}).to(torch::kBool);
}

TEST(PairMasks, PartTheSamplesLabelFromOthersAndLeaveOutTheSampleItself) {
  const auto masks = pair_masks({torch::zeros({3, 2}), torch::tensor({5, 5, 7}, torch::kInt64), {}});
  EXPECT_TRUE(torch::equal(masks.positive, mask({0, 1, 0, 1, 0, 0, 0, 0, 0})));
  EXPECT_TRUE(torch::equal(masks.negative, mask({0, 0, 1, 0, 0, 1, 1, 1, 0})));
}

TEST(PairMasks, PartnersThatAreNotTrustedAreInNeither) {
  const auto masks = pair_masks(
      {torch::zeros({3, 2}), torch::tensor({5, 5, 7}, torch::kInt64), torch::tensor({1.0F, 0.5F, 0.51F})});
  EXPECT_TRUE(torch::equal(masks.positive, mask({0, 0, 0, 1, 0, 0, 0, 0, 0})));
  EXPECT_TRUE(torch::equal(masks.negative, mask({0, 0, 1, 0, 0, 1, 1, 0, 0})));
}

}  // namespace
}  // namespace procsim::train
