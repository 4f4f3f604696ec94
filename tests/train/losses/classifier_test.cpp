#include "train/losses/classifier.hpp"

#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/train/rival_test.hpp"

namespace procsim::train {
namespace {

class Classifiers : public RivalTest {};

TEST_F(Classifiers, NormalisedSoftmaxHasTheIndependentValues) {
  const auto softmax = loss("nsoftmax");
  set(*softmax, matrix(rivals["weights"]));
  expect_close((*softmax)(six), rivals["nsoftmax"]);
}

TEST_F(Classifiers, ALinearOneIsPlainCrossEntropy) {
  const auto& expected_of = rivals["two_networks"];
  const auto linear = loss("cross-entropy", {{"classifier_scale", 1.0}}, 3, 3);
  set(*linear, torch::eye(3, torch::kFloat64));
  const LossBatch logits{matrix(expected_of["logits"][0]), labels_of(expected_of["labels"]), {}};
  expect_close((*linear)(logits), expected_of["losses"][0]);
}

TEST_F(Classifiers, GradientsAgreeWithFiniteDifferences) {
  expect_gradients_of(*loss_of_twelve("nsoftmax"));
  expect_gradients_of(*loss_of_twelve("cross-entropy"));
}

TEST_F(Classifiers, TheirWeightsLearnAtTheirOwnRate) {
  for (const auto& [name, lr] : {std::pair{"nsoftmax", 0.1}, {"cross-entropy", 1e-3}}) {
    const auto classifier = loss(name);
    EXPECT_EQ(classifier->learning_rate(), lr);
    (*classifier)(six).mean().backward();
    for (const auto& [parameter, tensor] : classifier->parameters())
      EXPECT_GT(tensor.grad().abs().max().item<double>(), 1e-4) << name << ' ' << parameter;
  }
}

TEST_F(Classifiers, RefuseOptionsThatCannotBe) {
  EXPECT_THROW(loss("nsoftmax", {{"nsoftmax_temperature", 0.0}}), UsageError);
  EXPECT_THROW(loss("cross-entropy", {{"classifier_scale", -1.0}}), UsageError);
}

}  // namespace
}  // namespace procsim::train
