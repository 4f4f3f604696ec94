#include "train/trust/class_means_trust.hpp"

#include <gtest/gtest.h>

namespace procsim::train {
namespace {

struct Scene {
  std::vector<std::int64_t> labels{0, 0, 0, 1, 1, 1, 1, 0};  // the last looks like class 1
  torch::Tensor embeddings = [] {
    auto rows = torch::zeros({8, 2});
    for (int i = 0; i < 8; ++i)
      rows[i] = torch::tensor(
          {i < 3 ? 1.0F : 0.1F * static_cast<float>(i % 3), i < 3 ? 0.1F * static_cast<float>(i) : 1.0F});
    return torch::nn::functional::normalize(rows);
  }();
  TrainingSet set() {
    TrainingSet made;
    made.labels = labels;
    made.classes = 2;
    made.embeddings = [this] { return embeddings; };
    return made;
  }
  Batch batch() const {
    Batch made;
    made.samples = {7, 0};
    return made;
  }
};

TEST(ClassMeansTrust, GivesABatchItsPartOfTheWholeSetsConfidence) {
  Scene scene;
  ClassMeansTrust trust(6, ConfidenceRule(ThresholdKind::kOtsu, 0.01));
  trust.begin_epoch(scene.set());
  ConfidenceRule rule(ThresholdKind::kOtsu, 0.01);
  const auto whole = class_means_confidence(scene.embeddings, scene.labels, 2, 6, rule);
  const auto part = trust(scene.batch(), {});
  EXPECT_EQ(part.weight, (std::vector<double>{whole.confidence.sigma[7], whole.confidence.sigma[0]}));
  EXPECT_LT(part.weight[0], 0.1);
  EXPECT_EQ(part.weight[1], 1);
  EXPECT_EQ(part.columns[0].first, "class_mean_loss");
  EXPECT_EQ(part.columns[0].second, (std::vector<double>{whole.losses[7], whole.losses[0]}));
}

TEST(ClassMeansTrust, GoesOnInsideAnEpochWithWhatItBeganWith) {
  Scene scene;
  ClassMeansTrust whole(6, ConfidenceRule(ThresholdKind::kOtsu, 0.01));
  whole.begin_epoch(scene.set());
  TensorFile file;
  whole.save({file, "x"});
  ClassMeansTrust restored(6, ConfidenceRule(ThresholdKind::kOtsu, 0.01));
  restored.restore({file, "x"});
  const auto a = whole(scene.batch(), {});
  const auto b = restored(scene.batch(), {});
  EXPECT_EQ(a.weight, b.weight);
  EXPECT_EQ(a.columns, b.columns);
  EXPECT_EQ(a.scalars, b.scalars);
}

}  // namespace
}  // namespace procsim::train
