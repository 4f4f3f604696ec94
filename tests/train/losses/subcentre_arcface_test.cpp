#include <gtest/gtest.h>

#include "tests/train/rival_test.hpp"

namespace procsim::train {
namespace {

class SubcentreArcface : public RivalTest {};

TEST_F(SubcentreArcface, HasTheIndependentValues) {
  const auto arcface = loss("subcentre-arcface", {{"subcentre_arcface_centres", 2}});
  set(*arcface, matrix(rivals["centres"]));
  expect_close((*arcface)(six), rivals["subcentre_arcface"]);
}

TEST_F(SubcentreArcface, GradientsAgreeWithFiniteDifferences) {
  expect_gradients_of(*loss_of_twelve("subcentre-arcface"));
}

TEST_F(SubcentreArcface, StaysFiniteOnItsCentreAndOpposite) {
  const auto arcface = loss("subcentre-arcface", {{"subcentre_arcface_centres", 1}});
  set(*arcface, matrix(rivals["weights"]));
  auto edge = six;
  edge.embeddings = torch::tensor({{1.0, 0.0}, {-1.0, 0.0}}, torch::kFloat64);
  edge.labels = torch::tensor({0, 0}, torch::kInt64);
  finite_loss(*arcface, edge);
  const auto values = (*arcface)(edge);
  EXPECT_GT(values[1].item<double>(), values[0].item<double>());
}

}  // namespace
}  // namespace procsim::train
