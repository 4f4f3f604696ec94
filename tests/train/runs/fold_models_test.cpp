#include "train/runs/fold_models.hpp"

#include <gtest/gtest.h>

#include "tests/train/tiny_run.hpp"
#include "train/scoring/fold_embeddings.hpp"

namespace procsim::train {
namespace {

TEST(FoldModels, ANetworkForEachFoldIsTrainedOnceAndKept) {
  test::TinyRun run;
  run.config.fold_models = 2;
  int steps = 0;
  TrainObserver observer;
  observer.step = [&](const StepReport&) { ++steps; };
  observer.epoch = [](const EpochRecord&, std::span<const Quantity>) {
    FAIL() << "a fold's epochs are nobody's metrics";
  };
  const auto made = train_fold_models(run.config, run.data, run.files, run.machine, observer);
  ASSERT_NE(made, nullptr);
  EXPECT_GT(steps, 0);
  EXPECT_EQ(made->plan.folds, 2);
  ASSERT_EQ(made->embeddings.size(), 2U);
  for (const auto& table : made->embeddings)
    EXPECT_EQ(table.sizes(), (std::vector<std::int64_t>{48, 16})) << "all samples, its own fold too";
  EXPECT_FALSE(torch::equal(made->embeddings[0], made->embeddings[1]));
  steps = 0;
  const auto again = train_fold_models(run.config, run.data, run.files, run.machine, observer);
  EXPECT_EQ(steps, 0) << "kept";
  EXPECT_TRUE(torch::equal(made->embeddings[1], again->embeddings[1]));
}

TEST(FoldModels, AskedToStopThereAreNone) {
  test::TinyRun run;
  run.config.fold_models = 2;
  std::atomic<bool> stop{false};
  TrainObserver observer;
  observer.stop = &stop;
  observer.step = [&](const StepReport&) { stop = true; };
  EXPECT_EQ(train_fold_models(run.config, run.data, run.files, run.machine, observer), nullptr);
  stop = false;
  observer.step = nullptr;
  EXPECT_NE(train_fold_models(run.config, run.data, run.files, run.machine, observer), nullptr);
}

}  // namespace
}  // namespace procsim::train
