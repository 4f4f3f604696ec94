#include <gtest/gtest.h>

#include "tests/train/rival_test.hpp"

namespace procsim::train {
namespace {

class FCorrection : public RivalTest {
 protected:
  FCorrection() { rate = 0.2; }
};

TEST_F(FCorrection, HasTheIndependentValues) {
  const auto& wanted = rivals["two_networks"];
  const auto corrected = loss("f-correction", {{"classifier_scale", 1.0}}, 3, 3);
  set(*corrected, torch::eye(3, torch::kFloat64));
  expect_close((*corrected)({matrix(wanted["logits"][0]), labels_of(wanted["labels"]), {}}),
               wanted["f_correction"]);
}

TEST_F(FCorrection, WithoutNoiseIsCrossEntropy) {
  const auto plain = loss("cross-entropy");
  rate = 0;
  const auto corrected = loss("f-correction");
  EXPECT_TRUE(torch::allclose((*corrected)(six), (*plain)(six), 0, 1e-9));
}

TEST_F(FCorrection, GradientsAgreeWithFiniteDifferences) {
  expect_gradients_of(*loss_of_twelve("f-correction"));
}

// Class c of three has the direction e_c; two in ten labels are wrong, evenly. The corrected loss is least
// where the classifier says what is true, the plain one where it says what the labels say.
TEST_F(FCorrection, WithTheTrueMatrixRecoversCleanTraining) {
  std::vector<std::int64_t> labels;
  for (std::int64_t truth = 0; truth < 3; ++truth)
    for (int i = 0; i < 10; ++i) labels.push_back(i < 8 ? truth : (truth + 1 + i % 2) % 3);
  const auto rows = torch::eye(3, torch::kFloat64).repeat_interleave(10, 0);
  const LossBatch noisy{rows, torch::tensor(labels, torch::kInt64), {}};
  const auto learnt = [&](const std::string& name) {
    const auto objective = loss(name, {{"classifier_scale", 1.0}}, 3, 3);
    set(*objective, torch::zeros({3, 3}, torch::kFloat64));
    const auto weights = objective->parameters().front().second;
    for (int step = 0; step < 3000; ++step) {
      weights.mutable_grad() = torch::Tensor();
      (*objective)(noisy).mean().backward();
      const torch::NoGradGuard no_gradients;
      weights.sub_(weights.grad() * 3);
    }
    return weights.detach().t().softmax(1).diagonal().min().item<double>();
  };
  EXPECT_GT(learnt("f-correction"), 0.97);
  EXPECT_NEAR(learnt("cross-entropy"), 0.8, 0.02);
}

}  // namespace
}  // namespace procsim::train
