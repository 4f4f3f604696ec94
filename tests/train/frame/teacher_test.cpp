#include "train/frame/teacher.hpp"

#include <gtest/gtest.h>

#include "data/base/error.hpp"

namespace procsim::train {
namespace {

std::unique_ptr<Embedder> model(std::uint64_t seed) {
  return std::make_unique<Embedder>(make_backbone("small", seed, false), 8, seed);
}

torch::Tensor images() {
  torch::manual_seed(3);
  return torch::randn({4, 3, 32, 32});
}

torch::Tensor embedded(Embedder& embedder) {
  embedder.train_mode(false);
  const torch::NoGradGuard no_gradients;
  return embedder.embed(images().contiguous(torch::MemoryFormat::ChannelsLast));
}

TEST(Teacher, StaysWhereItsStudentWasUntilItFollows) {
  const auto student = model(1);
  Teacher teacher(model(2));
  teacher.follow(*student);
  const auto then = embedded(*student);
  EXPECT_TRUE(torch::allclose(teacher.embed(images()), then, 0, 1e-6));
  {
    const torch::NoGradGuard no_gradients;
    for (auto& [name, tensor] : student->trainable()) tensor.add_(0.05);
  }
  EXPECT_FALSE(torch::allclose(embedded(*student), then, 0, 1e-3));
  EXPECT_TRUE(torch::allclose(teacher.embed(images()), then, 0, 1e-6)) << "lags until it is told";
  EXPECT_FALSE(teacher.embed(images()).requires_grad());
}

TEST(Teacher, WithAMomentumIsAMovingAverage) {
  const auto student = model(1);
  auto own = model(2);
  const auto name = student->trainable().front().first;
  const auto start = own->state().at(name).clone();
  Embedder& seen = *own;
  Teacher teacher(std::move(own), 0.75);
  const auto target = student->state().at(name).clone();
  teacher.follow(*student);
  teacher.follow(*student);
  const auto wanted = 0.5625 * start + (1 - 0.5625) * target;
  EXPECT_TRUE(torch::allclose(seen.state().at(name), wanted, 0, 1e-6));
}

TEST(Teacher, GoesOnFromWhatItSaved) {
  Teacher teacher(model(1));
  TensorFile file;
  teacher.save(CheckpointPart(file, "x").below("teacher"));
  Teacher restored(model(2));
  restored.restore(CheckpointPart(file, "x").below("teacher"));
  EXPECT_TRUE(torch::equal(restored.embed(images()), teacher.embed(images())));
}

TEST(Teacher, RefusesAMomentumThatNeverMoves) {
  EXPECT_THROW(Teacher(model(1), 1.0), UsageError);
  EXPECT_THROW(Teacher(model(1), -0.1), UsageError);
}

}  // namespace
}  // namespace procsim::train
