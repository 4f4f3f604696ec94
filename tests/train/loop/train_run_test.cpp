#include "train/loop/train_run.hpp"

#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/test_files.hpp"
#include "tests/train/loop/training_fixture.hpp"
#include "train/methods/methods.hpp"

namespace procsim::train {
namespace {

using ::testing::HasSubstr;

TEST_F(Training, LearnsAndLeavesARun) {
  config.epochs = 8;
  const auto result = train("run");
  EXPECT_TRUE(result.finished);
  ASSERT_EQ(result.records.size(), 9U);
  EXPECT_GT(*result.records.back().find("map@r"), *result.records.front().find("map@r"));
  // Whether it is above a half is chance with six wrong labels of 48.
  EXPECT_NE(result.records.back().find("detection_auroc"), nullptr);
  for (const char* name :
       {"metrics.csv", "metrics.jsonl", "report.html", "last.safetensors", "best.safetensors"})
    EXPECT_TRUE(std::filesystem::exists(files("run").folder / name)) << name;
}

TEST_F(Training, ScoresEveryTrainingSample) {
  train("run");
  const auto rows = scores("run");
  ASSERT_EQ(rows.size(), data.train.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].sample_id, data.train[i].id);
    EXPECT_EQ(rows[i].label, data.train[i].label);
    EXPECT_TRUE(rows[i].p_given >= 0 && rows[i].p_given <= 1) << rows[i].p_given;
    EXPECT_TRUE(rows[i].p_mislabelled >= 0 && rows[i].p_mislabelled <= 1) << rows[i].p_mislabelled;
    EXPECT_EQ(rows[i].rivals.size(), 5U);
    EXPECT_NE(rows[i].suggested, rows[i].label);
    EXPECT_EQ(rows[i].suggested, rows[i].rivals.front().label);
    EXPECT_GE(rows[i].confidence, 0);
    EXPECT_LE(rows[i].confidence, 1);
    EXPECT_FALSE(rows[i].near_given.empty());
    EXPECT_GE(rows[i].fold, 0);  // judged by a model that has not seen its label
    for (const auto near : rows[i].near_given) EXPECT_NE(near, rows[i].sample_id);
  }
}

TEST_F(Training, TheSameSeedGivesTheSameBytes) {
  train("a");
  machine.workers = 3;
  train("b");
  expect_same_files("a", "b");
  config.seed = 2;
  train("c");
  EXPECT_NE(test::read_all(files("a").folder / "metrics.csv"),
            test::read_all(files("c").folder / "metrics.csv"));
}

TEST_F(Training, TheNoiseRateIsTakenAndSaidWhichItIs) {
  config.epochs = 1;
  use_method(config, "mcl+prism", {});
  std::string said;
  TrainObserver observer;
  observer.note = [&](std::string_view line) { said += std::string(line) + "\n"; };
  train("own", observer);
  EXPECT_THAT(said, HasSubstr("noise rate for --confidence prism: 0.125, the label set's own"));
  said.clear();
  config.noise_rate = 0.3;
  train("given", observer);
  EXPECT_THAT(said, HasSubstr("noise rate for --confidence prism: 0.3, as given"));
  config.noise_rate = -1;
  for (auto& sample : data.train) sample.true_label.reset();
  test::expect_error([&] { train("none"); }, {"--confidence prism", "--noise-rate"});
}

TEST_F(Training, ALargeLambdaEqualsNoConfidence) {
  config.confidence = "none";
  const auto plain = train("none");
  config.confidence = "procsim";
  config.lambda = 1e30;
  const auto trusting = train("procsim");
  EXPECT_EQ(*plain.records.back().find("loss"), *trusting.records.back().find("loss"));
}

TEST_F(Training, WarmUpTrustsEveryLabelForSoManyEpochs) {
  config.epochs = 3;
  config.warmup = 2;
  const auto warm = train("warm");
  config.confidence = "none";
  const auto trusting = train("trusting");
  for (const std::size_t epoch : {1U, 2U}) {
    EXPECT_EQ(*warm.records[epoch].find("sigma"), 1) << epoch;
    EXPECT_EQ(*warm.records[epoch].find("loss"), *trusting.records[epoch].find("loss")) << epoch;
  }
  EXPECT_LT(*warm.records[3].find("sigma"), 1);
}

TEST_F(Training, TheOracleTrustsExactlyTheRightLabels) {
  config.confidence = "oracle";
  train("oracle");
  for (const auto& row : scores("oracle")) EXPECT_EQ(row.confidence, row.label == row.true_label ? 1 : 0);
}

TEST_F(Training, TheOracleNeedsTruth) {
  config.confidence = "oracle";
  data.train[0].true_label.reset();
  EXPECT_THROW(train("oracle"), UsageError);
}

TEST_F(Training, ANumberThatIsNoneStopsWithTheBatch) {
  config.lr = 1e30;
  try {
    train("nan");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("failed_batch.csv"));
  }
  EXPECT_THAT(test::read_all(files("nan").folder / "failed_batch.csv"), HasSubstr(".jpg"));
}

// One step and no test samples: no loss and no figure has shown that the weights are gone.
TEST_F(Training, AModelThatDivergedInItsLastStepIsAnError) {
  data.test.clear();
  config.lr = 1e30;
  config.epochs = 1;
  config.batch = 12;
  std::map<std::int32_t, int> taken;
  std::erase_if(data.train, [&](const auto& sample) { return ++taken[sample.label] > 2; });
  index_classes(data);
  test::expect_error([&] { train("gone"); }, {"diverged", "--lr"});
}

TEST_F(Training, WorksWithoutTestSamplesAndTruth) {
  data.test.clear();
  for (auto& sample : data.train) sample.true_label.reset();
  const auto result = train("bare");
  EXPECT_TRUE(result.finished);
  EXPECT_EQ(result.best_epoch, 3);
  EXPECT_EQ(result.records.back().find("recall@1"), nullptr);
  EXPECT_EQ(result.records.back().find("detection_auroc"), nullptr);
}

TEST_F(Training, FreezingRandomWeightsIsRefused) {
  config.train_from = "block3";
  EXPECT_THROW(train("frozen"), UsageError);
}

TEST_F(Training, MissingPretrainedWeightsSayHowToGetThem) {
  config.backbone = "efficientnet-lite0";
  config.guidance = "plg";
  config.guidance_backbone = "resnet50";
  machine.model_folder = dataset.folder / "models";
  try {
    train("lite");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("backbone efficientnet-lite0 (scripts/setup.sh --models)"));
    EXPECT_THAT(error.what(), HasSubstr("torchvision:resnet50"));
    EXPECT_THAT(error.what(), HasSubstr("text encoder all-minilm-l6-v2"));
  }
}

}  // namespace
}  // namespace procsim::train
