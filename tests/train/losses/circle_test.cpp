#include <gtest/gtest.h>

#include "tests/train/rival_test.hpp"

namespace procsim::train {
namespace {

const nlohmann::ordered_json kFaces{{"circle_margin", 0.25}, {"circle_gamma", 256}};

class Circle : public RivalTest {};

TEST_F(Circle, HasTheIndependentValues) {
  expect_close((*loss("circle"))(six), rivals["circle"]["retrieval"]);
  expect_close((*loss("circle", kFaces))(six), rivals["circle"]["faces"]);
}

TEST_F(Circle, PooledIsOneTermOfTheBatch) {
  auto options = kFaces;
  options["circle_pooled"] = true;
  const auto values = (*loss("circle", options))(six);
  EXPECT_NEAR(values.mean().item<double>(), rivals["circle"]["pooled"].get<double>(), 1e-9);
  EXPECT_TRUE((values >= 0).all().item<bool>());
}

// The weights of pairs are fixed in the gradient, as published: against differences of the loss with the
// weights of the unmoved embeddings.
TEST_F(Circle, GradientsAgreeWithFiniteDifferencesOfFixedWeights) {
  const auto circle = loss_of_twelve("circle");
  const auto start = batch.embeddings;
  const auto masks = pair_masks(batch);
  const auto fixed = torch::mm(start, start.t());
  const auto by_hand = [&](const LossBatch& input) {
    const auto s = torch::mm(input.embeddings, input.embeddings.t());
    const auto pull = (-80 * (1.4 - fixed).clamp_min(0) * (s - 0.6)).masked_fill(~masks.positive, -1e9);
    const auto push = (80 * (fixed + 0.4).clamp_min(0) * (s - 0.4)).masked_fill(~masks.negative, -1e9);
    return torch::softplus(pull.logsumexp(1) + push.logsumexp(1));
  };
  auto input = batch;
  input.embeddings = start.clone().requires_grad_(true);
  (*circle)(input).sum().backward();
  const auto gradient = input.embeddings.grad().clone();
  input.embeddings = start.clone().requires_grad_(true);
  by_hand(input).sum().backward();
  EXPECT_TRUE(torch::allclose(gradient, input.embeddings.grad(), 1e-9, 1e-9));
  expect_gradients(by_hand);
}

TEST_F(Circle, IsFiniteAtTheEdgesAndAveragesOverRowsWithBothSides) {
  for (const bool pooled : {false, true}) {
    const auto circle = loss("circle", {{"circle_pooled", pooled}});
    expect_finite_at_the_edges(*circle);
    EXPECT_EQ(finite_loss(*circle, with_labels({0, 1, 2, 3, 4, 5})), 0);
  }
  const auto circle = loss("circle", {{"circle_pooled", false}});
  const auto values = (*circle)(with_labels({0, 0, 1, 2, 3, 4}));
  EXPECT_EQ(values[3].item<double>(), 0);
  EXPECT_NEAR(values[0].item<double>(), 3 * (*circle)(six)[0].item<double>(), 1e-6);
}

}  // namespace
}  // namespace procsim::train
