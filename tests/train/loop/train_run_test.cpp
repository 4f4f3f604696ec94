#include "train/loop/train_run.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/base/error.hpp"
#include "data/files/table.hpp"
#include "data/labels/scores.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/train/tiny_dataset.hpp"
#include "tests/train/tiny_guidance.hpp"
#include "train/methods/methods.hpp"
#include "train/models/safetensors.hpp"
#include "train/runs/run_scores.hpp"

namespace procsim::train {
namespace {

using ::testing::HasSubstr;

TrainConfig quick_config() {
  TrainConfig config;
  config.backbone = "small";
  config.dimension = 16;
  config.image_size = 32;
  config.crop_scale = 0.5;
  config.centre_crop = 1;
  config.batch = 12;
  config.epochs = 3;
  config.lr = 2e-3;
  config.lambda = 0.1;
  return config;
}

class Training : public ::testing::Test {
 protected:
  test::TinyDataset dataset;
  TrainData data = load_train_data(dataset.label_file(), dataset.root());
  TrainConfig config = quick_config();
  MachineOptions machine = [this] {
    MachineOptions options;
    options.device = "cpu";
    options.workers = 2;
    options.threads = 1;
    options.cache_folder = dataset.folder / "cache";
    return options;
  }();

  RunFiles files(const std::string& name) { return RunFiles(dataset.folder / name); }

  TrainResult train(const std::string& name, const TrainObserver& observer = {}, bool resume = false) {
    std::filesystem::create_directories(files(name).folder);
    auto result = train_run(config, data, files(name), machine, observer, {.resume = resume});
    if (result.finished) write_run_scores(config, data, files(name), machine, result, observer);
    return result;
  }

  // Stops after so many steps, then goes on until the end, as often as it takes.
  void train_in_pieces(const std::string& name, int steps_at_once) {
    bool resume = false;
    for (int piece = 0; piece < 100; ++piece) {
      std::atomic<bool> stop{false};
      int steps = 0;
      TrainObserver observer;
      observer.stop = &stop;
      observer.step = [&](const StepReport&) {
        if (++steps == steps_at_once) stop = true;
      };
      if (train(name, observer, resume).finished) return;
      resume = true;
    }
    FAIL() << "never finished";
  }

  void expect_same_files(const std::string& a, const std::string& b) {
    for (const std::string name : {"last.safetensors", "best.safetensors", "metrics.csv", "metrics.jsonl",
                                   "scores.parquet", "events.out.tfevents.0.procsim"})
      EXPECT_EQ(test::read_all(files(a).folder / name), test::read_all(files(b).folder / name)) << name;
  }

  std::vector<ScoreRow> scores(const std::string& name) {
    ScoresReader reader(files(name).scores());
    std::vector<ScoreRow> all;
    for (auto rows = reader.next(); !rows.empty(); rows = reader.next())
      all.insert(all.end(), rows.begin(), rows.end());
    return all;
  }
};

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

struct Method {
  std::string name;
  void (*set)(TrainConfig&);
};

void PrintTo(const Method& method, std::ostream* out) { *out << method.name; }

class ResumedTraining : public Training, public ::testing::WithParamInterface<Method> {};

TEST_P(ResumedTraining, EqualsUninterruptedTrainingByteForByte) {
  GetParam().set(config);
  train("whole");
  train_in_pieces("pieces", 3);  // stops inside epochs and between them
  expect_same_files("whole", "pieces");
}

INSTANTIATE_TEST_SUITE_P(
    Methods, ResumedTraining,
    ::testing::Values(Method{"procsim", [](TrainConfig&) {}},
                      Method{"pair_means_adamw",
                             [](TrainConfig& c) {
                               c.confidence_scope = "pair";
                               c.proxy_init = "means";
                               c.threshold = "mean";
                               c.optimizer = "adamw";
                             }},
                      Method{"class_means", [](TrainConfig& c) { c.confidence_from = "class-means"; }},
                      Method{"posterior",
                             [](TrainConfig& c) {
                               c.method = "procsim-posterior";
                               c.confidence = "posterior";
                               c.confidence_scope = "pair";
                               c.average_over = "trust";
                             }},
                      Method{"superloss_sgd",
                             [](TrainConfig& c) {
                               c.loss = "contrastive";
                               c.confidence = "superloss";
                               c.optimizer = "sgd";
                             }},
                      Method{"superloss_of_ms", [](TrainConfig& c) { c.confidence = "superloss"; }}),
    [](const auto& parameter) { return parameter.param.name; });

std::vector<std::string> all_methods() {
  std::vector<std::string> names;
  for (const auto& method : method_list()) names.push_back(method.name);
  return names;
}

class ResumedRival : public Training, public ::testing::WithParamInterface<std::string> {};

TEST_P(ResumedRival, EqualsUninterruptedTrainingByteForByte) {
  config.epochs = 2;
  config.recall_at = {1};
  use_method(config, GetParam(), {});
  if (config.guidance == "plg") test::use_tiny_models(config, dataset.folder);
  config.options["memory_size"] = 20;  // wraps inside an epoch
  config.options["triplet_form"] = "sampled";
  config.options["co_teaching_epochs"] = 2;
  config.options["co_teaching_apart_from"] = 1;
  config.options["lsd_alpha"] = 10.0;
  train("whole");
  train_in_pieces("pieces", 3);
  expect_same_files("whole", "pieces");
}

INSTANTIATE_TEST_SUITE_P(Methods, ResumedRival, ::testing::ValuesIn(all_methods()),
                         [](const auto& parameter) {
                           auto name = parameter.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

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

// Guidance from a text table on disk: vectors by class name.
class GuidedTraining : public Training {
 protected:
  GuidedTraining() {
    std::vector<std::string> names;
    TableColumn::FloatLists lists{4, {}};
    for (int label = 0; label < test::TinyDataset::kClasses; ++label) {
      names.push_back("class " + std::to_string(label));
      for (int i = 0; i < 4; ++i) lists.values.push_back(static_cast<float>(std::sin(3 * label + i)));
    }
    Table table;
    table.columns = {{"name", names}, {"vector", lists}};
    write_parquet_table(dataset.folder / "texts.parquet", table, IfExists::kFail);
    guidance = "file:" + (dataset.folder / "texts.parquet").string();
  }
  std::string guidance;
};

TEST_F(GuidedTraining, AWeightOfZeroEqualsNoGuidanceBitForBit) {
  train("plain");
  config.guidance = guidance;
  config.omega = 0;
  train("zero");
  // The files tell the settings apart; what was learnt is the same.
  EXPECT_EQ(test::read_all(files("plain").folder / "metrics.csv"),
            test::read_all(files("zero").folder / "metrics.csv"));
  EXPECT_EQ(scores("plain"), scores("zero"));
  const auto tensors = [&](const std::string& name) {
    const auto content = test::read_all(files(name).last());
    std::uint64_t header = 0;
    std::memcpy(&header, content.data(), sizeof header);
    return content.substr(sizeof header + header);
  };
  EXPECT_TRUE(tensors("plain") == tensors("zero"));
  config.omega = 1;
  train("guided");
  EXPECT_NE(test::read_all(files("plain").folder / "metrics.csv"),
            test::read_all(files("guided").folder / "metrics.csv"));
}

TEST_F(GuidedTraining, ALargeLambdaEqualsMultiSimilarityWithGuidance) {
  config.guidance = guidance;
  config.confidence = "none";
  const auto plain = train("none");
  config.confidence = "procsim";
  config.lambda = 1e30;
  const auto trusting = train("procsim");
  for (const char* metric : {"loss", "recall@1", "map@r"})
    EXPECT_EQ(*plain.records.back().find(metric), *trusting.records.back().find(metric)) << metric;
}

TEST_F(GuidedTraining, ResumedEqualsUninterruptedAndRefusesAnotherTable) {
  config.guidance = guidance;
  config.confidence_on_guidance = true;
  train("whole");
  train_in_pieces("pieces", 3);
  expect_same_files("whole", "pieces");
  auto table = read_parquet_table(dataset.folder / "texts.parquet");
  std::get<TableColumn::FloatLists>(table.columns[1].values).values[0] += 1;
  write_parquet_table(dataset.folder / "texts.parquet", table, IfExists::kReplace);
  EXPECT_THROW(train("whole", {}, true), Error);
}

TEST_F(Training, ProcSimWithPseudoLabelsResumedEqualsUninterrupted) {
  config.epochs = 2;
  use_method(config, "procsim", {});
  test::use_tiny_models(config, dataset.folder);
  train("whole");
  train_in_pieces("pieces", 3);
  expect_same_files("whole", "pieces");
  config.guidance = "off";
  train("plain");
  EXPECT_NE(test::read_all(files("whole").folder / "metrics.csv"),
            test::read_all(files("plain").folder / "metrics.csv"));
}

TEST_F(GuidedTraining, ThePageShowsBothMatrices) {
  config.guidance = guidance;
  train("run");
  const auto page = test::read_all(files("run").page());
  EXPECT_THAT(page, HasSubstr("What the guidance believes"));
  EXPECT_THAT(page, HasSubstr("aria-label=\"similarity of the guidance\""));
  EXPECT_THAT(page, HasSubstr("aria-label=\"similarity of the embeddings\""));
  config.guidance = "off";
  train("plain");
  EXPECT_THAT(test::read_all(files("plain").page()), ::testing::Not(HasSubstr("What the guidance believes")));
}

// An epoch with a method: what a user would see in its metrics.
class MethodTraining : public Training {
 protected:
  template <typename Set>
  double metric(const char* name, Set set, std::int64_t epochs = 1) {
    config = quick_config();
    config.epochs = epochs;
    set(config);
    return *train(std::to_string(++runs_)).records.back().find(name);
  }
  static void plain(TrainConfig&) {}
  static void trusting(TrainConfig& c) { c.confidence = "none"; }

 private:
  int runs_ = 0;
};

TEST_F(MethodTraining, ProxyNcaIsTheProxyLossItShows) {
  // Its loss is the proxy loss before each step, weighted by σ: without doubt the two are the same.
  const auto set = [](TrainConfig& c) {
    c.loss = "proxy-nca";
    c.confidence = "none";
  };
  EXPECT_NEAR(metric("loss", set), metric("proxy_loss", set), 1e-5);
  EXPECT_GT(std::abs(metric("loss", trusting) - metric("proxy_loss", trusting)), 1e-2);
}

TEST_F(MethodTraining, ContrastiveHasALossOfItsOwn) {
  const auto set = [](TrainConfig& c) {
    c.loss = "contrastive";
    c.confidence = "none";
  };
  const double contrastive = metric("loss", set);
  EXPECT_GT(contrastive, 0);
  EXPECT_LT(contrastive, 2) << "a hinge on distances of unit vectors";
  EXPECT_NE(contrastive, metric("loss", trusting));
}

TEST_F(MethodTraining, DoubtedPartnersLeaveThePairs) {
  for (const std::string loss : {"contrastive", "ms"}) {
    const auto with_scope = [&](const std::string& scope) {
      return metric("loss", [&](TrainConfig& c) {
        c.loss = loss;
        c.confidence = "oracle";
        c.confidence_scope = scope;
      });
    };
    EXPECT_NE(with_scope("pair"), with_scope("anchor")) << loss;
  }
}

TEST_F(MethodTraining, TheOracleDoubtsAsManyAsAreWrong) {
  double wrong = 0;
  for (const auto& sample : data.train) wrong += sample.label != *sample.true_label;
  ASSERT_GT(wrong, 0);
  const double sigma = metric("sigma", [](TrainConfig& c) { c.confidence = "oracle"; });
  EXPECT_NEAR(sigma, 1 - wrong / static_cast<double>(data.train.size()), 0.05);
}

TEST_F(MethodTraining, TheThresholdIsTheOneAskedFor) {
  const double otsu = metric("threshold", plain);
  EXPECT_NE(metric("threshold", [](TrainConfig& c) { c.threshold = "gmm"; }), otsu);
  EXPECT_NE(metric("threshold", [](TrainConfig& c) { c.threshold = "mean"; }), otsu);
  // Of the Multi-Similarity loss itself: a scale of its own.
  EXPECT_NE(metric("threshold", [](TrainConfig& c) { c.confidence_from = "ms"; }), otsu);
}

TEST_F(MethodTraining, JointProxiesAddTheProxyLossToTheObjective) {
  const auto joint = [](TrainConfig& c) {
    c.confidence = "none";
    c.joint_proxies = true;
  };
  EXPECT_GT(metric("loss", joint), metric("loss", trusting) + 0.5 * metric("proxy_loss", trusting));
}

TEST_F(MethodTraining, HalfPrecisionRoundsAndLearnsAllTheSame) {
  const double full = metric("loss", plain);
  const double half = metric("loss", [](TrainConfig& c) { c.precision = "bf16"; });
  EXPECT_NE(half, full);
  EXPECT_NEAR(half, full, 0.25 * full);
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

TEST_F(Training, ACheckpointOfAnotherFormatIsNotResumed) {
  config.epochs = 1;
  train("run");
  auto file = read_safetensors(files("run").last());
  auto state = nlohmann::ordered_json::parse(file.metadata.at("state"));
  EXPECT_EQ(state.at("format"), "checkpoint/2");
  state["format"] = "checkpoint/1";
  file.metadata["state"] = state.dump();
  write_safetensors(files("run").last(), file, IfExists::kReplace);
  test::expect_error([&] { train("run", {}, true); },
                     {"last.safetensors", "'checkpoint/1'", "checkpoint/2", "start a new run"});
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

TEST_F(Training, AnotherLabelSetIsNotResumed) {
  config.epochs = 1;
  train("run");
  data.digest = "another";
  EXPECT_THROW(train("run", {}, true), Error);
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
