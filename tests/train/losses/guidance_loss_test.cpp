#include "train/losses/guidance_loss.hpp"

#include <gtest/gtest.h>

#include "tests/train/guidance_values.hpp"

namespace procsim::train {
namespace {

class GuidanceLoss : public GuidanceValues {};

TEST_F(GuidanceLoss, HasTheIndependentValues) {
  const auto values = guidance_loss(embeddings, labels, language);
  const auto wanted = torch::tensor(expected["losses"].get<std::vector<double>>(), torch::kFloat64);
  EXPECT_LT((values - wanted).abs().max().item<double>(), 1e-12) << values << wanted;
}

TEST_F(GuidanceLoss, WithoutTheShiftHasTheIndependentValues) {
  const auto values = guidance_loss(embeddings, labels, language, /*shift=*/0);
  const auto wanted =
      torch::tensor(expected["losses_without_shift"].get<std::vector<double>>(), torch::kFloat64);
  EXPECT_LT((values - wanted).abs().max().item<double>(), 1e-12) << values << wanted;
}

TEST_F(GuidanceLoss, GradientAgreesWithFiniteDifferences) {
  auto input = embeddings.clone().requires_grad_(true);
  guidance_loss(input, labels, language).sum().backward();
  const auto gradient = input.grad();
  ASSERT_GT(gradient.abs().max().item<double>(), 1e-3);
  for (std::int64_t i = 0; i < embeddings.size(0); ++i) {
    for (std::int64_t d = 0; d < embeddings.size(1); ++d) {
      const auto moved = [&](double by) {
        auto other = embeddings.clone();
        other[i][d] += by;
        return guidance_loss(other, labels, language).sum().item<double>();
      };
      EXPECT_NEAR(gradient[i][d].item<double>(), (moved(1e-6) - moved(-1e-6)) / 2e-6, 1e-7) << i << ' ' << d;
    }
  }
}

TEST_F(GuidanceLoss, IsZeroInABatchOfOneClass) {
  EXPECT_LT(guidance_loss(embeddings, torch::zeros_like(labels), language).abs().max().item<double>(), 1e-12);
}

}  // namespace
}  // namespace procsim::train
